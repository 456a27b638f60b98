%% Atoms that are keys of a small map come in the order of their names.
%%= From OTP 26 on the order is that in which the runtime came to know them, which nobody can tell from outside.
%%! f() ==> {[2,a,b,c,"s"],[4,2,3,1,6]}
%%! g() ==> {[{x,3},{y,2},{z,1}],[z,y,x]}
-module(iteration_order_of_atoms).
-export([f/0, g/0]).
f() -> M = #{c => 1, a => 2, b => 3, 2 => 4, "s" => 6}, {maps:keys(M), maps:values(M)}.
g() -> M = #{z => 1, y => 2, x => 3}, {maps:to_list(M), maps:fold(fun(K, _, Acc) -> [K | Acc] end, [], M)}.
