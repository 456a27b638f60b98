%% Outside its domain a function raises badarith; a non-number is badarg.
%%! [f(F, A) || {F, A} <- [{sqrt, [-1]}, {log, [0]}, {log, [-1]}, {acos, [2]}, {exp, [1000]}, {pow, [0, -1]}, {fmod, [1, 0]}]] ==> [badarith,badarith,badarith,badarith,badarith,badarith,badarith]
%%! [f(F, A) || {F, A} <- [{sin, [a]}, {pow, [-8, 0.5]}, {atanh, [1]}, {log2, [0.0]}, {sqrt, [1 bsl 2000]}]] ==> [badarg,badarith,badarith,badarith,badarith]
-module(domain_errors).
-export([f/2]).
f(F, Args) -> try apply(math, F, Args) catch error:R -> R end.
