%% A small evaluator with environments and closures as data.
%%! f({app, {lam, x, {add, {var, x}, {num, 1}}}, {num, 41}}) ==> 42
%%! f({app, {app, {lam, x, {lam, y, {add, {var, x}, {var, y}}}}, {num, 1}}, {num, 2}}) ==> 3
%%! f({var, free})                                           ==> error {badkey,free}
%%! f({app, {num, 1}, {num, 2}})                             ==> error {badmatch,1}
-module(lambda_calculus).
-export([f/1]).
f(E) -> eval(E, #{}).
eval({num, N}, _) -> N;
eval({var, X}, Env) -> maps:get(X, Env);
eval({add, A, B}, Env) -> eval(A, Env) + eval(B, Env);
eval({lam, X, Body}, Env) -> {closure, X, Body, Env};
eval({app, F, A}, Env) -> {closure, X, Body, Env2} = eval(F, Env), eval(Body, Env2#{X => eval(A, Env)}).
