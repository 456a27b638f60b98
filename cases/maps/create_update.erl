%% => inserts or replaces, later ones win; := wants the key.
%%! f(#{})               ==> #{a => 3,b => 2}
%%! f(#{a => 0, c => 3}) ==> #{a => 3,b => 2,c => 3}
%%! g(#{a => 0})         ==> #{a => 1}
%%! g(#{})               ==> error {badkey,a}
-module(create_update).
-export([f/1, g/1]).
f(M) -> M#{a => 1, b => 2, a => 3}.
g(M) -> M#{a := 1}.
