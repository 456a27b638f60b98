%% Binaries to numbers.
%%! f(<<"123">>)     ==> 123
%%! f(<<"-0">>)      ==> 0
%%! f(<<"1e3">>)     ==> error badarg
%%! f(<<>>)          ==> error badarg
%%! f("12")          ==> error badarg
%%! g(<<"1.5">>)     ==> 1.5
%%! g(<<"1">>)       ==> error badarg
%%! h(<<"-ff">>, 16) ==> -255
-module(binary_to_integer).
-export([f/1, g/1, h/2]).
f(B) -> binary_to_integer(B).
g(B) -> binary_to_float(B).
h(B, Base) -> binary_to_integer(B, Base).
