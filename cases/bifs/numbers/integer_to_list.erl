%% Integers to text in every base, as lists and binaries.
%%! f(255)            ==> {"255","11111111","FF","73",<<"255">>,<<"377">>}
%%! f(-255)           ==> {"-255","-11111111","-FF","-73",<<"-255">>,<<"-377">>}
%%! f((1 bsl 70) + 1) ==> {"1180591620717411303425","10000000000000000000000000000000000000000000000000000000000000000000001","400000000000000001","6X5KXTVUWILUKH",<<"1180591620717411303425">>,<<"200000000000000000000001">>}
%%! f(1.0)            ==> error badarg
%%! g(10, 1)          ==> error badarg
%%! g(10, 37)         ==> error badarg
%%! g(35, 36)         ==> "Z"
-module(integer_to_list).
-export([f/1, g/2]).
f(N) -> {integer_to_list(N), integer_to_list(N, 2), integer_to_list(N, 16), integer_to_list(N, 36),
    integer_to_binary(N), integer_to_binary(N, 8)}.
g(N, Base) -> integer_to_list(N, Base).
