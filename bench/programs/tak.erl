%% Stresses deeply nested calls with three arguments (Takeuchi's function) and Ackermann's recursion.
-module(tak).
-export([main/1, size/0]).

size() -> 10.

main(N) -> {tak(3 * N - 1, 2 * N, N), tak(3 * N - 2, 2 * N - 1, N), ack(2, N * 200)}.

tak(X, Y, Z) when Y >= X -> Z;
tak(X, Y, Z) -> tak(tak(X - 1, Y, Z), tak(Y - 1, Z, X), tak(Z - 1, X, Y)).

ack(0, N) -> N + 1;
ack(M, 0) -> ack(M - 1, 1);
ack(M, N) -> ack(M - 1, ack(M, N - 1)).
