%% A function may have many arguments, and they keep their places.
%%! f() ==> {6,7,8,9,10,11,12,1,2,3,4,5}
-module(many_arguments).
-export([f/0]).
f() -> rotate(5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12).
rotate(0, A, B, C, D, E, F, G, H, I, J, K, L) -> {A, B, C, D, E, F, G, H, I, J, K, L};
rotate(N, A, B, C, D, E, F, G, H, I, J, K, L) -> rotate(N - 1, B, C, D, E, F, G, H, I, J, K, L, A).
