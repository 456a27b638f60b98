%% The type `[]` has one value.
%%! only([])  ==> ok
%%! either(x) ==> ok
%%? only/1: clean; exhausts; runs = 1
%%? either/1: finds error:empty for ([]); failures = 1; exhausts; runs = 2
-module(empty_list_type).
-export([only/1, either/1]).

-spec only([]) -> ok.
only([]) -> ok;
only(_) -> error(not_empty).

-spec either([] | x) -> ok.
either([]) -> error(empty);
either(x) -> ok;
either(_) -> error(outside).
