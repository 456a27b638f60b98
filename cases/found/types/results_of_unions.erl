%% A result must be one of the union's members as a whole: parts of several do not do.
%%! pair(6)   ==> {6,1}
%%! mixed(7)  ==> [7,a]
%%! keys(0)   ==> #{b => 1}
%%! nested(1) ==> {{1,1},a}
%%? pair/1: finds spec:_ for (N) when N >= 6; failures = 1; exhausts
%%? mixed/1: finds spec:_ for (7); failures = 1; exhausts
%%? same/1: clean; exhausts
%%? keys/1: finds spec:_ for (_); failures = 1; exhausts
%%? nested/1: finds spec:_ for (_); failures = 1; exhausts
-module(results_of_unions).
-export([pair/1, mixed/1, same/1, keys/1, nested/1]).

-spec pair(integer()) -> {0..5, integer()} | {6..10, atom()}.
pair(X) when X >= 0, X =< 10 -> {X, 1};
pair(_) -> {1, 1}.

-spec mixed(0..9) -> [integer()] | [atom()].
mixed(X) -> [X, case X of 7 -> a; _ -> X end].

-spec same(boolean() | 0..9) -> [integer()] | [boolean()].
same(X) -> [X, X, X].

-spec keys(0..9) -> #{a := 1..9} | #{b := 2..9}.
keys(0) -> #{b => 1};
keys(X) -> #{a => X}.

-spec nested(0..9) -> {{0, integer()} | {1..9, atom()}, a} | {{2, integer()}, a | b}.
nested(X) -> {{X, 1}, a}.
