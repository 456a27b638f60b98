%% Small maps are traversed in the order of their keys.
%%! f() ==> {[2,7,9,1.5,a,{t},"s"],[4,3,1,5,2,7,6]}
%%! g() ==> {[{"x",3},{"y",2},{"z",1}],["z","y","x"]}
-module(iteration_order_small).
-export([f/0, g/0]).
f() -> M = #{9 => 1, a => 2, 7 => 3, 2 => 4, 1.5 => 5, "s" => 6, {t} => 7}, {maps:keys(M), maps:values(M)}.
g() -> M = #{"z" => 1, "y" => 2, "x" => 3}, {maps:to_list(M), maps:fold(fun(K, _, Acc) -> [K | Acc] end, [], M)}.
