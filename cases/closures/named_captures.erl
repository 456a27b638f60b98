%% A named fun may capture variables and be made in a loop.
%%! f([1, 2, 3]) ==> [[1],[2,2],[3,3,3]]
-module(named_captures).
-export([f/1]).
f(L) ->
    Makers = [fun Count(0) -> []; Count(N) -> [K | Count(N - 1)] end || K <- L],
    [M(K) || {M, K} <- lists:zip(Makers, L)].
