%% Where `-on_load` wants something from the world outside, it is given up and the module can be called all the same.
%%! twice(21) ==> 42
%%? twice/1: clean; incomplete
-module(on_load_outside).
-export([twice/1]).
-on_load(init/0).

init() ->
    _ = file:read_file("no/such/file"),
    ok.

-spec twice(integer()) -> integer().
twice(N) -> N * 2.
