%% A shift by an unknown amount, in both directions.
%%! bit(3)  ==> error eight
%%! bit(-1) ==> 0
%%? bit/1: finds error:eight for (3); failures = 1
%%? widest/1 with max 40: clean; budget
-module(shift_amounts).
-export([bit/1, widest/1]).

-spec bit(-8..8) -> integer().
bit(N) ->
    case 1 bsl N of
        8 -> error(eight);
        B -> B
    end.

%% How many bits a number has.
-spec widest(non_neg_integer()) -> non_neg_integer().
widest(0) -> 0;
widest(N) -> 1 + widest(N bsr 1).
