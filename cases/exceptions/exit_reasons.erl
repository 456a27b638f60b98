%% exit/1 with any term; self is not ended by catching it.
%%! f(normal)          ==> exit normal
%%! f(kill)            ==> exit kill
%%! f({shutdown, [1]}) ==> exit {shutdown,[1]}
%%! g()                ==> [normal,kill,1,"s"]
-module(exit_reasons).
-export([f/1, g/0]).
f(R) -> exit(R).
g() -> [try exit(R) catch exit:E -> E end || R <- [normal, kill, 1, "s"]].
