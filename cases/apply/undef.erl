%% apply of a missing module or function raises undef.
%%! f(lists, nothing, [])     ==> error undef
%%! f(no_such_module, f, [1]) ==> error undef
%%! f(lists, reverse, [])     ==> error undef
-module(undef).
-export([f/3]).
f(M, F, A) -> apply(M, F, A).
