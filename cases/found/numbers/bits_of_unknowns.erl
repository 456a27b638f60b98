%% Bit operations between unknowns: what bits cannot do is refuted, and what they can is found.
%%! bounded(12, 10)       ==> ok
%%! carried(5, 3)         ==> ok
%%! distributed(1, 2, 3)  ==> ok
%%! natural(5, 9)         ==> ok
%%! power(6)              ==> error sixty_four
%%! there_and_back(-5, 3) ==> ok
%%! signs(-4, 3)          ==> ok
%%! header(<<16#5F, 16#FA, 16#A5>>) ==> error parity
%%! majority(3, 5, 6)     ==> ok
%%? bounded/2: clean; exhausts
%%? carried/2: clean; exhausts
%%? distributed/3: clean; exhausts
%%? natural/2: clean; exhausts
%%? both/2: finds error:both for (X, Y) when X bxor Y =:= 16#5A, X band Y =:= 16#A1; failures = 1; exhausts
%%? power/1: finds error:sixty_four for (6); failures = 1; exhausts
%%? there_and_back/2: clean; exhausts
%%? signs/2: clean; exhausts
%%? header/1: finds error:parity for (<<A, B, C>>) when A bxor B =:= C, A band B =:= 16#5A; failures = 1; exhausts
%%? majority/3: clean; exhausts
%%? wide/2: finds error:wide for (X, Y) when X band Y =:= 16#DEADBEEF; failures = 1
-module(bits_of_unknowns).
-export([bounded/2, carried/2, distributed/3, natural/2, both/2, power/1, there_and_back/2, signs/2, header/1,
         majority/3, wide/2]).

%% No operation leaves the byte, and "and" lies below, "or" above both operands.
-spec bounded(byte(), byte()) -> ok.
bounded(X, Y) when X band Y > X -> error(above);
bounded(X, Y) when X bor Y < Y -> error(below);
bounded(X, Y) when X bxor Y > 255 -> error(outside);
bounded(_, _) -> ok.

%% A sum is what differs and twice what is carried; a mask taken twice is gone.
-spec carried(0..15, 0..15) -> ok.
carried(X, Y) when X + Y =/= 2 * (X band Y) + (X bxor Y) -> error(sum);
carried(X, Y) when (X bxor Y) bxor Y =/= X -> error(twice);
carried(_, _) -> ok.

-spec distributed(0..7, 0..7, 0..7) -> ok.
distributed(X, Y, Z) ->
    case (X band Y) bor (X band Z) of
        R when R =:= X band (Y bor Z) -> ok;
        _ -> error(law)
    end.

%% Holds of integers of any size.
-spec natural(non_neg_integer(), non_neg_integer()) -> ok.
natural(X, Y) when X band Y > X -> error(above);
natural(X, Y) when X bor Y < X -> error(below);
natural(X, Y) when X bxor Y < 0 -> error(negative);
natural(_, _) -> ok.

-spec both(byte(), byte()) -> ok.
both(X, Y) when X bxor Y =:= 16#5A, X band Y =:= 16#A1 -> error(both);
both(_, _) -> ok.

-spec power(0..7) -> ok.
power(N) when 1 bsl N > 128 -> error(beyond);
power(N) when 1 bsl N =:= 64 -> error(sixty_four);
power(_) -> ok.

-spec there_and_back(integer(), 0..10) -> ok.
there_and_back(X, N) when (X bsl N) bsr N =/= X -> error(lost);
there_and_back(_, _) -> ok.

-spec signs(neg_integer(), non_neg_integer()) -> ok.
signs(X, Y) when X band Y < 0 -> error('and');
signs(X, Y) when X bor Y >= 0 -> error('or');
signs(X, Y) when X bxor Y >= 0 -> error('xor');
signs(_, _) -> ok.

-spec header(<<_:24>>) -> ok.
header(<<A, B, C>>) when A bxor B =:= C, A band B =:= 16#5A -> error(parity);
header(<<A, B, C>>) when A bxor B =:= C, A + B < C -> error(carry);
header(_) -> ok.

-spec majority(0..7, 0..7, 0..7) -> ok.
majority(X, Y, Z) ->
    M = (X band Y) bor (Y band Z) bor (X band Z),
    if M > X bor Y -> error(beyond);
       M < X band Y -> error(below);
       true -> ok
    end.

-spec wide(integer(), integer()) -> ok.
wide(X, Y) when X band Y =:= 16#DEADBEEF, X =/= Y -> error(wide);
wide(_, _) -> ok.
