%% convert_time_unit rounds down.
%%! f(1500, millisecond, second)  ==> 1
%%! f(-1500, millisecond, second) ==> -2
%%! f(2, second, microsecond)     ==> 2000000
%%! f(1, nanosecond, 3)           ==> 0
%%! f(1, parsec, second)          ==> error badarg
-module(time_units).
-export([f/3]).
f(T, From, To) -> erlang:convert_time_unit(T, From, To).
