%% There is no infinity: overflow and division by zero raise badarith.
%%! f(1.0e308, 10)      ==> error badarith
%%! f(-1.0e308, 1.0e10) ==> error badarith
%%! g(1, 0)             ==> error badarith
%%! g(1.0, 0.0)         ==> error badarith
%%! g(0.0, 0)           ==> error badarith
%%! g(1, 1.0e-320)      ==> error badarith
%%! h(1 bsl 2000)       ==> error badarith
%%! sum()               ==> {badarith,0.0,true}
-module(overflow).
-export([f/2, g/2, h/1, sum/0]).
f(A, B) -> A * B.
g(A, B) -> A / B.
h(A) -> A / 1.
sum() -> X = 1.7976931348623157e308, try X + X catch error:R -> {R, X - X, X + 1.0 =:= X} end.
