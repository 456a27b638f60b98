%% Functions without failures and with finitely many paths are exhausted.
%%! grade(55)         ==> c
%%! leap(1900)        ==> false
%%! quadrant(-1, 2)   ==> 2
%%! median(3, 1, 2)   ==> 2
%%! toggle(on)        ==> off
%%! triangle(3, 4, 5) ==> other
%%? grade/1: clean; exhausts
%%? leap/1: clean; exhausts
%%? quadrant/2: clean; exhausts
%%? median/3: clean; exhausts
%%? toggle/1: clean; exhausts; runs = 2
%%? triangle/3: clean; exhausts
%%? anything/1: clean; exhausts
-module(finite_and_right).
-export([grade/1, leap/1, quadrant/2, median/3, toggle/1, triangle/3, anything/1]).

-spec grade(0..100) -> a | b | c | f.
grade(N) when N >= 90 -> a;
grade(N) when N >= 75 -> b;
grade(N) when N >= 50 -> c;
grade(_) -> f.

-spec leap(integer()) -> boolean().
leap(Y) -> Y rem 4 =:= 0 andalso (Y rem 100 =/= 0 orelse Y rem 400 =:= 0).

-spec quadrant(integer(), integer()) -> 0..4.
quadrant(X, Y) when X > 0, Y > 0 -> 1;
quadrant(X, Y) when X < 0, Y > 0 -> 2;
quadrant(X, Y) when X < 0, Y < 0 -> 3;
quadrant(X, Y) when X > 0, Y < 0 -> 4;
quadrant(_, _) -> 0.

-spec median(integer(), integer(), integer()) -> integer().
median(A, B, C) ->
    Median = max(min(A, B), min(max(A, B), C)),
    case lists:sort([A, B, C]) of
        [_, Median, _] -> Median;
        Sorted -> error({wrong, Sorted})
    end.

-spec toggle(on | off) -> on | off.
toggle(on) -> off;
toggle(off) -> on.

-spec triangle(pos_integer(), pos_integer(), pos_integer()) -> none | equal | isosceles | other.
triangle(A, B, C) when A + B =< C; A + C =< B; B + C =< A -> none;
triangle(A, A, A) -> equal;
triangle(A, B, C) when A =:= B; B =:= C; A =:= C -> isosceles;
triangle(_, _, _) -> other.

%% Whatever it is given, it has an answer.
anything(X) when is_integer(X) -> integer;
anything(X) when is_float(X) -> float;
anything(X) when is_atom(X) -> atom;
anything([]) -> nil;
anything([_ | _]) -> cons;
anything(X) when is_tuple(X) -> tuple;
anything(X) when is_map(X) -> map;
anything(X) when is_bitstring(X) -> bits;
anything(_) -> identity.
