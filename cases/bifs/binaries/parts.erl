%% binary_part, split_binary and their ranges.
%%! f(<<"abcdef">>, 1, 3)  ==> <<"bcd">>
%%! f(<<"abcdef">>, 6, 0)  ==> <<>>
%%! f(<<"abcdef">>, 6, -6) ==> <<"abcdef">>
%%! f(<<"abcdef">>, 4, 3)  ==> error badarg
%%! f(<<"abcdef">>, -1, 1) ==> error badarg
%%! g(<<"abc">>, 1)        ==> {<<"a">>,<<"bc">>}
%%! g(<<"abc">>, 4)        ==> error badarg
%%! g(<<5:3>>, 0)          ==> {<<>>,<<5:3>>}
-module(parts).
-export([f/3, g/2]).
f(B, S, L) -> binary_part(B, S, L).
g(B, N) -> split_binary(B, N).
