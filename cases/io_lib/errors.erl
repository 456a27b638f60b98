%% Too few or too many arguments, or of wrong kinds, raise badarg.
%%! f("~w", [])       ==> error badarg
%%! f("~w", [a, b])   ==> error badarg
%%! f("~d", [1])      ==> error badarg
%%! f("~s", [a])      ==> "a"
%%! f("~s", [1])      ==> error badarg
%%! f("~b", [1.0])    ==> error badarg
%%! f("~f", [a])      ==> error badarg
%%! f("~", [])        ==> error badarg
%%! f("~s", [[8364]]) ==> error badarg
-module(errors).
-export([f/2]).
f(Format, Args) -> lists:flatten(io_lib:format(Format, Args)).
