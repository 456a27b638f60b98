%% A module with an `-on_load` function is called for the first time in a run: the function runs in a process of its
%% own, and the call goes on if it returns `ok`. Otherwise the module is not there, and the next call tries again.
-module(beagle_load).
-file("beagle_load.erl", 1).

-export([enter/3, ensure/1, load/1]).

enter(Module, Function, Args) ->
    load(Module),
    apply(Module, Function, Args).

%% `code:ensure_loaded/1`.
ensure(Module) ->
    case load(Module) of
        true -> {module, Module};
        false -> {error, on_load_failure}
    end.

load(Module) ->
    OnLoad = beagle_loading:start(Module),
    Result = try OnLoad() catch Class:Reason -> {Class, Reason} end,
    beagle_loading:finish(Module, Result).
