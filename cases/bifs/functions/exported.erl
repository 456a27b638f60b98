%% function_exported knows loaded modules; BIFs count for erlang.
%%! f(lists, map, 2)        ==> true
%%! f(lists, map, 3)        ==> false
%%! f(lists, no_such, 0)    ==> false
%%! f(exported, f, 3)       ==> true
%%! f(exported, hidden, 0)  ==> false
%%! f(erlang, abs, 1)       ==> true
%%! f(no_such_module, f, 0) ==> false
%%! g()                     ==> {ok,true,false,true}
-module(exported).
-export([f/3, g/0]).
f(M, F, A) -> _ = lists:map(fun(X) -> X end, []), erlang:function_exported(M, F, A).
hidden() -> ok.
g() -> {hidden(), erlang:is_builtin(erlang, abs, 1), erlang:is_builtin(lists, map, 2), erlang:module_loaded(?MODULE)}.
