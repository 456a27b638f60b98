%% Modular powers of big integers by squaring.
%%! f(2, 1000, 1000000007)                ==> 688423210
%%! f(3, 12345678901234567890, 998244353) ==> 681036655
%%! f(123456789, 100, 1 bsl 89 - 1)       ==> 510116425381937766588241612
-module(powers).
-export([f/3]).
f(_, 0, M) -> 1 rem M;
f(B, E, M) when E rem 2 =:= 0 -> f(B * B rem M, E div 2, M);
f(B, E, M) -> B * f(B, E - 1, M) rem M.
