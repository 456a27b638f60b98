%% A loop that takes a binary apart, with a context that moves on.
%%! sum(<<1, 2, 3, 4>>)               ==> 10
%%! words(<<"the quick  brown fox">>) ==> [<<"the">>,<<"quick">>,<<"brown">>,<<"fox">>]
%%! bits(<<5, 3:2>>)                  ==> [0,0,0,0,0,1,0,1,1,1]
-module(loop).
-export([sum/1, words/1, bits/1]).
sum(B) -> sum(B, 0).
sum(<<X, R/binary>>, S) -> sum(R, S + X);
sum(<<>>, S) -> S.
words(B) -> words(B, <<>>, []).
words(<<" ", R/binary>>, <<>>, Acc) -> words(R, <<>>, Acc);
words(<<" ", R/binary>>, W, Acc) -> words(R, <<>>, [W | Acc]);
words(<<C, R/binary>>, W, Acc) -> words(R, <<W/binary, C>>, Acc);
words(<<>>, W, Acc) -> lists:reverse([W | Acc]).
bits(<<B:1, R/bits>>) -> [B | bits(R)];
bits(<<>>) -> [].
