%% A result that another process computed is held to the specification.
%%? positive/1: finds spec:0 for (0); failures = 1; exhausts
%%? how_many/1: finds error:three for (3); failures = 1; exhausts
-module(result_from_elsewhere).
-export([positive/1, how_many/1]).

-spec positive(non_neg_integer()) -> pos_integer().
positive(N) ->
    Me = self(),
    P = spawn(fun() -> Me ! {self(), N * 3} end),
    receive {P, Result} -> Result end.

%% As many processes as the input says.
-spec how_many(0..5) -> ok.
how_many(N) ->
    Me = self(),
    Pids = [spawn(fun() -> Me ! {self(), 1} end) || _ <- lists:seq(1, N)],
    case lists:sum([receive {P, X} -> X end || P <- Pids]) of
        3 -> error(three);
        _ -> ok
    end.
