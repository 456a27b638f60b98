%% Applying what is not a fun raises badfun with the value.
%%! f(atom)             ==> error {badfun,atom}
%%! f(42)               ==> error {badfun,42}
%%! f({lists, reverse}) ==> error {badfun,{lists,reverse}}
%%! f("string")         ==> error {badfun,"string"}
%%! g(not_a_fun)        ==> error {badfun,not_a_fun}
-module(badfun).
-export([f/1, g/1]).
f(F) -> F(1).
g(F) -> apply(F, [1, 2]).
