%% Masks, shifts and exclusive or over integers of any size and sign.
%%! mask(16#F5)    ==> ok
%%! shifted(3)     ==> 48
%%! parity(7)      ==> odd
%%! complement(-6) ==> error five
%%? mask/1: finds error:mask for (N) when N band 16#F0 =:= 16#A0, N bor 1 =:= N; failures = 1
%%? shifted/1: finds error:wide for (N) when N bsl 4 =:= 16#770; failures = 1
%%? dropped/1: finds error:high for (N) when N bsr 8 =:= 5; failures = 1
%%? parity/1: clean
%%? complement/1: finds error:five for (-6); failures = 1; exhausts
%%? swapped/2: finds error:swapped for (A, B) when A bxor B =:= 255, A > B; failures = 1
-module(masks_and_shifts).
-export([mask/1, shifted/1, dropped/1, parity/1, complement/1, swapped/2]).

-spec mask(byte()) -> ok.
mask(N) when N band 16#F0 =:= 16#A0, N band 1 =:= 1 -> error(mask);
mask(_) -> ok.

-spec shifted(integer()) -> integer().
shifted(N) ->
    case N bsl 4 of
        16#770 -> error(wide);
        S -> S
    end.

-spec dropped(integer()) -> integer().
dropped(N) when N bsr 8 =:= 5 -> error(high);
dropped(N) -> N.

-spec parity(integer()) -> even | odd.
parity(N) when N band 1 =:= 0 -> even;
parity(N) when N band 1 =:= 1 -> odd.

-spec complement(integer()) -> integer().
complement(N) ->
    case bnot N of
        5 -> error(five);
        C -> C
    end.

-spec swapped(byte(), byte()) -> ok.
swapped(A, B) when A bxor B =:= 255, A > B -> error(swapped);
swapped(_, _) -> ok.
