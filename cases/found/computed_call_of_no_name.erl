%% A computed call whose module or function is no atom is to blame on apply/3, with its arguments.
%%! top(1, f, [a, b])    ==> {badarg,erlang,apply,[1,f,[a,b]],[{error_info,#{module => erl_erts_errors}}]}
%%! top({m}, f, [])      ==> {badarg,erlang,apply,[{m},f,[]],[{error_info,#{module => erl_erts_errors}}]}
%%! top(lists, "f", [a]) ==> {badarg,erlang,apply,[lists,"f",[a]],[{error_info,#{module => erl_erts_errors}}]}
-module(computed_call_of_no_name).
-export([top/3]).

top(Module, Function, Args) ->
    try call(Module, Function, Args)
    catch error:Reason:Stack ->
        [{M, F, A, Info}, {_, call, 3, _} | _] = Stack,
        {Reason, M, F, A, Info}
    end.

call(Module, Function, [A, B]) -> [Module:Function(A, B)];
call(Module, Function, [A]) -> [Module:Function(A)];
call(Module, Function, []) -> [Module:Function()].
