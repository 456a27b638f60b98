%% A named fun calls itself through its own name.
%%! factorial(20) ==> 2432902008176640000
%%! collatz(27)   ==> 111
%%! shadow()      ==> {outer,true}
-module(named).
-export([factorial/1, collatz/1, shadow/0]).
factorial(N) -> (fun F(0) -> 1; F(K) -> K * F(K - 1) end)(N).
collatz(N) ->
    Steps = fun Loop(1, Count) -> Count;
                Loop(K, Count) when K rem 2 =:= 0 -> Loop(K div 2, Count + 1);
                Loop(K, Count) -> Loop(3 * K + 1, Count + 1)
            end,
    Steps(N, 0).
shadow() ->
    F = outer,
    G = fun F(0) -> is_function(F, 1); F(N) -> F(N - 1) end,
    {F, G(3)}.
