%% A fun called with the wrong number of arguments raises badarity, with the arguments.
%%! f([])      ==> {badarity,true,[]}
%%! f([1])     ==> 1
%%! f([1, 2])  ==> {badarity,true,[1,2]}
%%! external() ==> {badarity,{fun lists:map/2,[1]}}
-module(badarity).
-export([f/1, external/0]).
f(Args) -> reason(fun(X) -> X end, Args).
external() -> try apply(fun lists:map/2, [1]) catch error:{badarity, R} -> {badarity, R} end.
reason(F, Args) ->
    try apply(F, Args)
    catch error:{badarity, {G, As}} -> {badarity, G =:= F, As}
    end.
