%% Shifting letters, with characters computed.
%%! f("Hello, World!", 3)  ==> "Khoor, Zruog!"
%%! f("Khoor, Zruog!", -3) ==> "Hello, World!"
-module(caesar).
-export([f/2]).
f(S, K) -> [shift(C, K) || C <- S].
shift(C, K) when C >= $a, C =< $z -> rotate(C, $a, K);
shift(C, K) when C >= $A, C =< $Z -> rotate(C, $A, K);
shift(C, _) -> C.
rotate(C, Base, K) -> Base + ((C - Base + K) rem 26 + 26) rem 26.
