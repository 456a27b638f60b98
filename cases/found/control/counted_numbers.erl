%% A number that is counted down first: one path for each number, and the one that fails is far away.
%%! after_loop(3) ==> 42
%%? after_loop/1 with max 200: finds error:far for (4242)
-module(counted_numbers).
-export([after_loop/1]).

-spec after_loop(pos_integer()) -> 42.
after_loop(N) ->
    Result = down(N),
    case N of
        4242 -> error(far);
        _ -> Result
    end.

down(0) -> 42;
down(N) -> down(N - 1).
