%% error/2 puts the arguments into the stack entry; none leaves the arity.
%%! f([1, 2]) ==> {oops,fail,[1,2]}
%%! f(none)   ==> {oops,fail,1}
%%! g()       ==> {{bad,a},given,[a,b]}
-module(error_arguments).
-export([f/1, g/0]).
f(Args) -> try {fail(Args), x} catch error:R:S -> {_, F, A, _} = hd(S), {R, F, A} end.
fail(Args) -> error(oops, Args).
g() -> try {given(a, b), x} catch error:R:S -> {_, F, A, _} = hd(S), {R, F, A} end.
given(A, B) -> error({bad, A}, [A, B]).
