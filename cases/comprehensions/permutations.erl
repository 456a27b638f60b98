%% A comprehension with a recursive generator.
%%! f([1, 2, 3]) ==> [[1,2,3],[1,3,2],[2,1,3],[2,3,1],[3,1,2],[3,2,1]]
%%! queens(6)    ==> [[5,3,1,6,4,2],[4,1,5,2,6,3],[3,6,2,5,1,4],[2,4,6,1,3,5]]
-module(permutations).
-export([f/1, queens/1]).
f([]) -> [[]];
f(L) -> [[H | T] || H <- L, T <- f(L -- [H])].
queens(N) -> place(N, N).
place(0, _) -> [[]];
place(K, N) -> [[Q | Qs] || Qs <- place(K - 1, N), Q <- lists:seq(1, N), safe(Q, Qs, 1)].
safe(_, [], _) -> true;
safe(Q, [P | Ps], D) -> Q =/= P andalso abs(Q - P) =/= D andalso safe(Q, Ps, D + 1).
