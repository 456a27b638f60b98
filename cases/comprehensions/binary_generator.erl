%% Generators over binaries stop at the first segment that is not there.
%%! f(<<1, 2, 3>>)              ==> [2,4,6]
%%! pairs(<<1, 2, 3, 4, 5>>)    ==> [{1,2},{3,4}]
%%! fixed(<<1, 2, 1, 3, 2, 4>>) ==> [2,3]
%%! utf(<<"aé€"/utf8>>)         ==> [97,233,8364]
%%! bits(<<16#f0>>)             ==> [<<7:3>>,<<4:3>>]
-module(binary_generator).
-export([f/1, pairs/1, fixed/1, utf/1, bits/1]).
f(B) -> [X * 2 || <<X>> <= B].
pairs(B) -> [{X, Y} || <<X, Y>> <= B].
fixed(B) -> [X || <<1, X>> <= B].
utf(B) -> [C || <<C/utf8>> <= B].
bits(B) -> [B2 || <<B2:3/bits>> <= B].
