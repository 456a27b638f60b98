%% erl_eval runs abstract expressions.
%%! f("X = 3, Y = X * 2, {X, Y, [Z || Z <- lists:seq(1, Y), Z rem 2 =:= 0]}.") ==> {{3,6,[2,4,6]},2}
%%! f("F = fun(N) -> N + 1 end, F(F(1)).")        ==> {3,1}
%%! f("try throw(x) catch T -> {caught, T} end.") ==> {{caught,x},1}
%%! f("<<A:4, B:4>> = <<16#ab>>, {A, B}.")        ==> {{10,11},2}
-module(evaluator).
-export([f/1]).
f(S) ->
    {ok, Ts, _} = erl_scan:string(S),
    {ok, Es} = erl_parse:parse_exprs(Ts),
    {value, V, Bs} = erl_eval:exprs(Es, erl_eval:new_bindings()),
    {V, length(erl_eval:bindings(Bs))}.
