%% erlang:raise gives class, reason and stack; bad ones return badarg.
%%! f(error, reason) ==> {error,reason,[{m,f,2,[]}]}
%%! f(throw, [1])    ==> {throw,[1],[{m,f,2,[]}]}
%%! f(exit, x)       ==> {exit,x,[{m,f,2,[]}]}
%%! g(nonsense)      ==> badarg
%%! h(not_a_stack)   ==> badarg
-module(raise).
-export([f/2, g/1, h/1]).
f(C, R) -> try erlang:raise(C, R, [{m, f, 2, []}]) catch K:V:S -> {K, V, S} end.
g(C) -> erlang:raise(C, reason, []).
h(S) -> erlang:raise(error, reason, S).
