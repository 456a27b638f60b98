%% Segment sizes inside a binary generator, fixed and from outside.
%%! f(<<2, "ab", 1, "c", 0>>) ==> [<<"ab">>,<<"c">>,<<>>]
%%! g(3, <<"abcdefgh">>)      ==> [<<"abc">>,<<"def">>]
-module(binary_sized_generator).
-export([f/1, g/2]).
f(B) -> [S || <<N, S:N/binary>> <= B].
g(N, B) -> [S || <<S:N/binary>> <= B].
