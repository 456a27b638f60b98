%% A textbook recursion: moves of the towers of Hanoi.
%%! f(3)  ==> [{a,b},{a,c},{b,c},{a,b},{c,a},{c,b},{a,b}]
%%! g(10) ==> 1023
-module(hanoi).
-export([f/1, g/1]).
f(N) -> move(N, a, b, c).
g(N) -> length(move(N, a, b, c)).
move(0, _, _, _) -> [];
move(N, From, To, Via) -> move(N - 1, From, Via, To) ++ [{From, To} | move(N - 1, Via, To, From)].
