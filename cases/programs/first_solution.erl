%% A backtracking search that leaves by an exception.
%%! f(6) ==> [2,4,6,1,3,5]
%%! f(3) ==> none
-module(first_solution).
-export([f/1]).
f(N) -> try place(1, N, []), none catch {solution, Qs} -> Qs end.
place(K, N, Qs) when K > N -> throw({solution, lists:reverse(Qs)});
place(K, N, Qs) -> [place(K + 1, N, [Q | Qs]) || Q <- lists:seq(1, N), safe(Q, Qs, 1)].
safe(_, [], _) -> true;
safe(Q, [P | Ps], D) -> Q =/= P andalso abs(Q - P) =/= D andalso safe(Q, Ps, D + 1).
