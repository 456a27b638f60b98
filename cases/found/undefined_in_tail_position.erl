%% The caller of an undefined function is not in the trace if the call was a tail call.
%%! trace(fun() -> tail() end)                          ==> {undef,[{f,[1]}]}
%%! trace(fun() -> computed_tail(no_such_module) end)   ==> {undef,[{f,[1]}]}
%%! trace(fun() -> applied(no_such_module, [1, 2]) end) ==> {undef,[{f,[1,2]}]}
%%! trace(fun() -> external() end)                      ==> {undef,[{f,[]}]}
%%! trace(fun() -> inner() end)                         ==> {undef,[{f,[1]},{inner,0}]}
%%! trace(fun() -> computed_inner(no_such_module) end)  ==> {undef,[{f,[1]},{computed_inner,1}]}
%%! trace(fun() -> branches(3) end)                     ==> {undef,[{f,[3]}]}
%%! trace(fun() -> caught() end)                        ==> {undef,[{f,[1]},{caught,0}]}
-module(undefined_in_tail_position).
-export([trace/1, tail/0, computed_tail/1, applied/2, external/0, inner/0, computed_inner/1, branches/1, caught/0]).

trace(Fun) ->
    try Fun()
    catch error:Reason:Stack ->
        {Reason, [{Function, Args} || {Module, Function, Args, _} <- Stack,
                                      Module =:= ?MODULE orelse Module =:= no_such_module,
                                      lists:member(Function, [f, tail, computed_tail, applied, external, inner,
                                                              computed_inner, branches, caught])]}
    end.

tail() -> no_such_module:f(1).
computed_tail(Module) -> Module:f(1).
applied(Module, Args) -> apply(Module, f, Args).
external() -> Fun = fun no_such_module:f/0, Fun().
inner() -> [no_such_module:f(1)].
computed_inner(Module) -> [Module:f(1)].

branches(N) ->
    case N of
        1 -> ok;
        _ when N > 2 -> no_such_module:f(N);
        _ -> error
    end.

caught() ->
    try no_such_module:f(1)
    catch throw:_ -> ok
    end.
