%% A depth-first walk around obstacles looks where it may go, but not to the left of the map.
%%! climb({1, 1}, {3, 1}, [])               ==> 5
%%! climb({1, 1}, {1, 2}, [{2, 1}])         ==> 2
%%! climb({1, 1}, {8, 8}, [{2, 1}, {1, 2}]) ==> error function_clause
%%? climb/3 with max 2000: finds error:function_clause for ({_, _}, {_, _}, Walls) when is_list(Walls)
-module(robot_leaves_the_map).
-export([climb/3]).
-define(SIZE, 8).

-type cell() :: {1..8, 1..8}.

%% The heights passed on the way, or `no_way`.
-spec climb(cell(), cell(), [cell()]) -> integer() | no_way.
climb(Start, End, Walls) ->
    case walk([{Start, 0}], End, Walls) of
        {found, Height} -> Height;
        none -> no_way
    end.

walk([], _, _) ->
    none;
walk([{End, Height} | _], End, _) ->
    {found, Height};
walk([{Cell = {X, Y}, Height} | Rest], End, Seen) ->
    case lists:member(Cell, Seen) of
        true ->
            walk(Rest, End, Seen);
        false ->
            Here = Height + height(X, Y),
            Next = [{Move, Here} || Move <- [{X + 1, Y}, {X, Y - 1}, {X, Y + 1}, {X - 1, Y}], on_map(Move)],
            walk(Next ++ Rest, End, [Cell | Seen])
    end.

on_map({X, Y}) -> X =< ?SIZE andalso Y >= 1 andalso Y =< ?SIZE.

height(X, Y) when X >= 1, X =< ?SIZE, Y >= 1, Y =< ?SIZE -> X + Y.
