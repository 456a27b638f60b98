%% Integers do not wrap: the numbers around two to the sixty-fourth are told apart.
%%! at_the_word(18446744073709551615) ==> below
%%! at_the_word(18446744073709551616) ==> error just_above
%%? at_the_word/1: finds error:just_above for (18446744073709551616); failures = 1; exhausts
%%? wraps/2: clean; exhausts
%%? square/1: finds error:square for (X) when X * X =:= 340282366920938463463374607431768211456
-module(big_integers_at_the_word).
-export([at_the_word/1, wraps/2, square/1]).

-spec at_the_word(integer()) -> below | above.
at_the_word(X) when X < 1 bsl 64 -> below;
at_the_word(X) when X < (1 bsl 64) + 1 -> error(just_above);
at_the_word(_) -> above.

%% Would fail in a language of machine integers.
-spec wraps(pos_integer(), pos_integer()) -> ok.
wraps(X, Y) when X + Y > X, X + Y > Y -> ok;
wraps(_, _) -> error(wrapped).

-spec square(integer()) -> ok.
square(X) when X * X =:= 1 bsl 128 -> error(square);
square(_) -> ok.
