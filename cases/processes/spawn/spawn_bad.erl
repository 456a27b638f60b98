%% What cannot be spawned is refused by the caller; what fails later fails in the new process.
%%! refused(fun() -> spawn(1) end)                   ==> {error,badarg}
%%! refused(fun() -> spawn(lists, 1, []) end)        ==> {error,badarg}
%%! refused(fun() -> spawn(lists, seq, [1 | 2]) end) ==> {error,badarg}
%%! refused(fun() -> spawn_link(a) end)              ==> {error,badarg}
%%! refused(fun() -> spawn_monitor(a, b, c) end)     ==> {error,badarg}
%%! refused(fun() -> spawn(17, fun() -> ok end) end) ==> {error,badarg}
%%! later(fun(_) -> ok end)                          ==> error badarg
%%! later_mfa(no_such_module_at_all, f, [1])         ==> {undef,no_such_module_at_all,f,[1]}
%%! later_mfa(spawn_bad, no_such_function, [])       ==> {undef,spawn_bad,no_such_function,[]}
%%! later_mfa(erlang, hd, [[]])                      ==> {badarg,erlang,hd,[[]]}
-module(spawn_bad).
-export([refused/1, later/1, later_mfa/3]).
refused(F) -> try F() catch Class:Reason -> {Class, Reason} end.
later(F) ->
    {_, Ref} = spawn_monitor(F),
    receive {'DOWN', Ref, _, _, {Why, [_ | _]}} -> tag(Why) end.
later_mfa(M, F, A) ->
    {_, Ref} = spawn_monitor(M, F, A),
    receive {'DOWN', Ref, _, _, {Why, [Top | _]}} -> {Why, element(1, Top), element(2, Top), element(3, Top)} end.
tag({badarity, {F, Args}}) when is_function(F) -> {badarity, Args};
tag(Why) -> Why.
