%% Stresses small maps: pattern matching, exact update and lookup of a handful of atom keys.
-module(map_small).
-export([main/1, size/0]).

size() -> 10000000.

main(N) ->
    #{x := X, y := Y, steps := S, turns := T} = walk(N, #{x => 0, y => 0, heading => north, steps => 0, turns => 0}),
    {X, Y, S, T}.

walk(0, State) -> State;
walk(N, State) when N rem 7 =:= 0 -> walk(N - 1, turn(State));
walk(N, State) -> walk(N - 1, step(State)).

step(#{heading := north, y := Y, steps := S} = State) -> State#{y := Y + 1, steps := S + 1};
step(#{heading := east, x := X, steps := S} = State) -> State#{x := X + 1, steps := S + 1};
step(#{heading := south, y := Y, steps := S} = State) -> State#{y := Y - 1, steps := S + 1};
step(#{heading := west, x := X, steps := S} = State) -> State#{x := X - 1, steps := S + 1}.

turn(#{heading := Heading} = State) ->
    Turns = maps:get(turns, State, 0),
    maps:put(turns, Turns + 1, State#{heading => next(Heading)}).

next(north) -> east;
next(east) -> south;
next(south) -> west;
next(west) -> north.
