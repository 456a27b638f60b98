%% Programs that use up something: each ends with a named outcome.
-module(hostile).
-export([deep/1, atoms/1, nested/1, shared/1, loop/0, zeros/1, cells/1, doubled/1]).

deep(0) -> 0;
deep(N) -> 1 + deep(N - 1).

atoms(N) -> atoms(N, 0).

atoms(N, N) -> N;
atoms(N, I) ->
    _ = list_to_atom("hostile_" ++ integer_to_list(I)),
    atoms(N, I + 1).

nested(0) -> [];
nested(N) -> {nested(N - 1)}.

shared(0) -> x;
shared(N) ->
    T = shared(N - 1),
    {T, T}.

loop() -> loop().

zeros(N) -> <<0:(1 bsl N)>>.

cells(L) -> cells([L | L]).

doubled(B) -> doubled(<<B/binary, B/binary>>).
