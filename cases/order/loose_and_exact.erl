%% == goes through structures numerically, =:= exactly.
%%! f({1, [2.0]}, {1.0, [2]}) ==> {true,false,false,true}
%%! f([1], [1])               ==> {true,true,false,false}
%%! f(#{k => 1}, #{k => 1.0}) ==> {true,false,false,true}
%%! f(<<1>>, <<1>>)           ==> {true,true,false,false}
%%! f("ab", [97, 98])         ==> {true,true,false,false}
%%! f(a, "a")                 ==> {false,false,true,true}
-module(loose_and_exact).
-export([f/2]).
f(A, B) -> {A == B, A =:= B, A /= B, A =/= B}.
