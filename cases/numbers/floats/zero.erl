%% Negative zero equals zero, prints with its sign, and has its own bits.
%%! f()    ==> {-0.0,true,true,true,false,<<128,0,0,0,0,0,0,0>>,-0.0,-0.0}
%%! g(0)   ==> {0,0.0,0}
%%! g(0.0) ==> {-0.0,0.0,-0.0}
%%! g(1.0) ==> {-1.0,-1.0,-1.0}
-module(zero).
-export([f/0, g/1]).
f() -> Z = -0.0, {Z, Z == 0.0, Z =:= 0.0, Z == 0, Z < 0.0, <<Z/float>>, 0.0 * -1, abs(Z)}.
g(X) -> {-X, 0.0 - X, X * -1}.
