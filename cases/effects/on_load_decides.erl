%% What -on_load left is there in every run of a search.
%%! double(4) ==> 8
%%! mode()    ==> error fast
%%? double/1: finds error:large for (N) when N * 2 > 100; failures = 1; exhausts
%%? mode/0: finds error:fast; failures = 1; exhausts
-module(on_load_decides).
-export([double/1, mode/0]).
-on_load(init/0).

init() ->
    persistent_term:put(on_load_decides_factor, 2),
    application:set_env(on_load_decides, mode, fast).

-spec double(integer()) -> integer().
double(N) ->
    case N * persistent_term:get(on_load_decides_factor) of
        Large when Large > 100 -> error(large);
        Small -> Small
    end.

-spec mode() -> slow.
mode() ->
    case application:get_env(on_load_decides, mode) of
        {ok, fast} -> error(fast);
        undefined -> slow
    end.
