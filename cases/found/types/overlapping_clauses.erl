%% Where the clauses of a specification overlap, a result may be what either says; elsewhere it may not.
%%! late(4) ==> ok
%%! late(9) ==> ok
%%? late/1: finds spec:_ for (N) when N >= 6; failures = 1; exhausts
%%? apart/1: clean; exhausts
-module(overlapping_clauses).
-export([late/1, apart/1]).

-spec late(0..5) -> ok; (3..10) -> fine.
late(_) -> ok.

-spec apart({a, integer()}) -> 1..9; ({b, integer()}) -> b.
apart({a, X}) when X > 0, X < 10 -> X;
apart({a, _}) -> 1;
apart({b, _}) -> b.
