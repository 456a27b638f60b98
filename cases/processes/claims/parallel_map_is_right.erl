%% A parallel map over a short list gives what the plain one gives.
%%? same/1 with bound 3: clean; exhausts
%%? bounded_sum/1 with bound 3: finds error:{too_large, _} for ([_ | _]); failures = 1; exhausts
-module(parallel_map_is_right).
-export([same/1, bounded_sum/1]).

-spec same([integer()]) -> true.
same(L) -> true = pmap(fun step/1, L) =:= lists:map(fun step/1, L).

-spec bounded_sum([0..9]) -> integer().
bounded_sum(L) ->
    case lists:sum(pmap(fun step/1, L)) of
        Sum when Sum > 30 -> error({too_large, Sum});
        Sum -> Sum
    end.

step(X) when X > 7 -> X * 2;
step(X) -> X + 1.
pmap(F, L) ->
    Me = self(),
    Pids = [spawn_link(fun() -> Me ! {self(), F(X)} end) || X <- L],
    [receive {P, Y} -> Y end || P <- Pids].
