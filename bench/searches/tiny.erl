%% Small functions without end: their searches are measured by runs, growth and memory.
-module(tiny).
-export([classify/1, colour/3, above/1, rising/1]).

%% Every flip asks for one more element or for another value of one element.
-spec classify([integer()]) -> [low | mid | high].
classify([]) -> [];
classify([X | Xs]) when X < 10 -> [low | classify(Xs)];
classify([X | Xs]) when X < 1000 -> [mid | classify(Xs)];
classify([_ | Xs]) -> [high | classify(Xs)].

%% The same for three integers, so that it ends.
-spec colour(integer(), integer(), integer()) -> {low | mid | high, low | mid | high, low | mid | high}.
colour(Red, Green, Blue) -> {part(Red), part(Green), part(Blue)}.

part(X) when X < 10 -> low;
part(X) when X < 1000 -> mid;
part(_) -> high.

%% As many decisions as twice the elements, each about one element.
-spec above([integer()]) -> non_neg_integer().
above(Xs) -> above(Xs, 0).

above([X | Xs], Count) when X > 10 -> above(Xs, Count + 1);
above([_ | Xs], Count) -> above(Xs, Count);
above([], Count) -> Count.

%% Likewise, each about two neighbours.
-spec rising([integer()]) -> boolean().
rising([X, Y | Rest]) when X =< Y -> rising([Y | Rest]);
rising([_, _ | _]) -> false;
rising(_) -> true.
