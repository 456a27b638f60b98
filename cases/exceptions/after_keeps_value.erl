%% Without an exception the value is the body's, whatever after does.
%%! f(5) ==> 10
%%! g()  ==> {[a,b],seen,seen}
-module(after_keeps_value).
-export([f/1, g/0]).
f(X) -> try X * 2 after X * 3 end.
g() -> L = [try V after put(V, seen) end || V <- [a, b]], {L, get(a), get(b)}.
