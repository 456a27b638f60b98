%% not, and, or, xor raise badarg outside the booleans; both sides are evaluated.
%%! [f(A, B) || A <- [true, false], B <- [true, false]] ==> [{true,true,false,false},{false,true,true,false},{false,true,true,true},{false,false,false,true}]
%%! f(true, 1)                                          ==> error badarg
%%! f(x, true)                                          ==> error badarg
%%! g()                                                 ==> {true,4}
-module(booleans).
-export([f/2, g/0]).
f(A, B) -> {A and B, A or B, A xor B, not A}.
g() -> put(n, 0), R = (count(false) and count(true)) or (count(true) or count(false)), {R, get(n)}.
count(V) -> put(n, get(n) + 1), V.
