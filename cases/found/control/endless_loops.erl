%% Inputs with which a function does not end.
%%! spin(6)    ==> ok
%%! collatz(6) ==> 8
%%? spin/1 with steps 20000, max 20: finds timeout for (7); failures = 1
%%? down/1 with steps 20000, max 12: finds timeout for (N) when N < 0; failures = 1
%%? collatz/1 with max 100: clean
-module(endless_loops).
-export([spin/1, down/1, collatz/1]).

-spec spin(integer()) -> ok.
spin(7) -> again(7);
spin(_) -> ok.

again(X) -> again(X).

-spec down(-3..3) -> ok.
down(0) -> ok;
down(N) -> down(N - 1).

-spec collatz(1..30) -> non_neg_integer().
collatz(1) -> 0;
collatz(N) when N rem 2 =:= 0 -> 1 + collatz(N div 2);
collatz(N) -> 1 + collatz(3 * N + 1).
