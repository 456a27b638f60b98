%% Stresses matching on tuples and environments: an interpreter of a small imperative language.
%%
%% The program that it runs counts primes by trial division and sums the lengths of Collatz sequences.
-module(interpreter).
-export([main/1, size/0]).

size() -> 20000.

main(N) ->
    Env = run(program(), #{limit => N, primes => 0, total => 0}),
    {maps:get(primes, Env), maps:get(total, Env)}.

program() ->
    [{set, i, {num, 2}},
     {while, {'=<', {var, i}, {var, limit}},
      [{set, d, {num, 2}},
       {set, prime, {num, 1}},
       {while, {'and', {'=<', {'*', {var, d}, {var, d}}, {var, i}}, {'==', {var, prime}, {num, 1}}},
        [{'if', {'==', {'rem', {var, i}, {var, d}}, {num, 0}}, [{set, prime, {num, 0}}], [{set, d, {'+', {var, d}, {num, 1}}}]}]},
       {set, primes, {'+', {var, primes}, {var, prime}}},
       {set, c, {var, i}},
       {while, {'>', {var, c}, {num, 1}},
        [{'if', {'==', {'rem', {var, c}, {num, 2}}, {num, 0}},
          [{set, c, {'div', {var, c}, {num, 2}}}],
          [{set, c, {'+', {'*', {num, 3}, {var, c}}, {num, 1}}}]},
         {set, total, {'+', {var, total}, {num, 1}}}]},
       {set, i, {'+', {var, i}, {num, 1}}}]}].

run([], Env) -> Env;
run([{set, X, E} | Rest], Env) -> run(Rest, Env#{X => eval(E, Env)});
run([{'if', Condition, Then, Else} | Rest], Env) ->
    run(Rest, case eval(Condition, Env) of true -> run(Then, Env); false -> run(Else, Env) end);
run([{while, Condition, Body} | Rest] = Loop, Env) ->
    case eval(Condition, Env) of
        true -> run(Loop, run(Body, Env));
        false -> run(Rest, Env)
    end.

eval({num, N}, _) -> N;
eval({var, X}, Env) -> maps:get(X, Env);
eval({'and', A, B}, Env) -> eval(A, Env) andalso eval(B, Env);
eval({Op, A, B}, Env) -> operate(Op, eval(A, Env), eval(B, Env)).

operate('+', A, B) -> A + B;
operate('*', A, B) -> A * B;
operate('div', A, B) -> A div B;
operate('rem', A, B) -> A rem B;
operate('=<', A, B) -> A =< B;
operate('>', A, B) -> A > B;
operate('==', A, B) -> A == B.
