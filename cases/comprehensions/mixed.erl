%% Lists and binaries may generate for each other.
%%! f([<<1, 2>>, <<3>>]) ==> [1,2,3]
%%! g(<<1, 2>>, [a, b])  ==> [{1,a},{1,b},{2,a},{2,b}]
%%! hex(<<"beagle">>)    ==> <<"626561676c65">>
-module(mixed).
-export([f/1, g/2, hex/1]).
f(L) -> [X || B <- L, <<X>> <= B].
g(B, L) -> [{X, Y} || <<X>> <= B, Y <- L].
hex(B) -> << <<(digit(N))>> || <<N:4>> <= B >>.
digit(N) when N < 10 -> $0 + N;
digit(N) -> $a + N - 10.
