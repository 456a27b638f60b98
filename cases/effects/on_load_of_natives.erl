%% No native library is loaded by -on_load; the functions in Erlang stand in for it, as on the BEAM without the library.
%%! sum([1, 2, 3]) ==> 6
%%! loaded()       ==> tried
%%? sum/1 with bound 2: finds error:badarith; failures = 1
-module(on_load_of_natives).
-export([sum/1, loaded/0]).
-on_load(init/0).

init() ->
    _ = erlang:load_nif("no/such/library", 0),
    persistent_term:put(on_load_of_natives, tried),
    ok.

-spec sum(list()) -> number().
sum([X | Rest]) -> X + sum(Rest);
sum([]) -> 0.

loaded() -> persistent_term:get(on_load_of_natives).
