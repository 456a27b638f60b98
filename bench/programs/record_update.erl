%% Stresses tuples: records updated one field at a time, setelement in wide tuples.
-module(record_update).
-export([main/1, size/0]).

size() -> 9000000.

-record(particle, {x = 0, y = 0, dx = 1, dy = 2, bounces = 0, name = none}).

main(N) ->
    P = move(N, #particle{}),
    Wide = wide(N div 5, erlang:make_tuple(40, 0)),
    {P#particle.x, P#particle.y, P#particle.bounces, lists:sum(tuple_to_list(Wide)) rem 1000007}.

move(0, P) -> P;
move(N, #particle{x = X, dx = DX, bounces = B} = P) when X + DX > 1000; X + DX < -1000 ->
    move(N - 1, P#particle{dx = -DX, bounces = B + 1});
move(N, #particle{x = X, y = Y, dx = DX, dy = DY} = P) ->
    Moved = P#particle{x = X + DX},
    move(N - 1, Moved#particle{y = (Y + DY) rem 4096, name = N}).

wide(0, T) -> T;
wide(N, T) -> I = N rem 40 + 1, wide(N - 1, setelement(I, T, element(I, T) + N)).
