%% An error in one alternative of a guard does not spoil the next.
%%! f({a}) ==> first
%%! f([])  ==> none
%%! f([5]) ==> first
%%! f(7)   ==> second
-module(failing_alternative).
-export([f/1]).
f(X) when hd(X) =:= 5; element(1, X) =:= a -> first;
f(X) when tl(X) =:= []; X + 1 =:= 8 -> second;
f(_) -> none.
