%% Every segment type raises badarg for a value of another kind.
%%! f(integer, "x")    ==> error badarg
%%! f(float, <<>>)     ==> error badarg
%%! f(binary, 1)       ==> error badarg
%%! f(binary, <<1:1>>) ==> error badarg
%%! f(bits, [])        ==> error badarg
%%! f(utf8, <<"a">>)   ==> error badarg
-module(wrong_kinds).
-export([f/2]).
f(integer, V) -> <<V/integer>>;
f(float, V) -> <<V/float>>;
f(binary, V) -> <<V/binary>>;
f(bits, V) -> <<V/bits>>;
f(utf8, V) -> <<V/utf8>>.
