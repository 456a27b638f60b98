%% undef and badarity through apply name the function that was wanted.
%%! f(lists, nothing, [1])   ==> {undef,lists,nothing,[1]}
%%! f(no_such_module, f, []) ==> {undef,no_such_module,f,[]}
%%! f(lists, map, [x])       ==> {undef,lists,map,[x]}
-module(stack_of_apply).
-export([f/3]).
f(M, F, A) -> try {apply(M, F, A), x} catch error:R:S -> {M2, F2, A2, _} = hd(S), {R, M2, F2, A2} end.
