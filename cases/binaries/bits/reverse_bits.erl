%% A bit-level program: reverse and count bits.
%%! reverse(<<2#00010111, 2#101:3>>) ==> <<189,0:3>>
%%! count(<<255, 1, 7:3>>)           ==> 12
-module(reverse_bits).
-export([reverse/1, count/1]).
reverse(B) -> reverse(B, <<>>).
reverse(<<X:1, R/bits>>, Acc) -> reverse(R, <<X:1, Acc/bits>>);
reverse(<<>>, Acc) -> Acc.
count(B) -> lists:sum([X || <<X:1>> <= B]).
