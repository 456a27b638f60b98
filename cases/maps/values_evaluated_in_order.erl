%% Keys and values are expressions, and duplicates keep the last.
%%! f(1) ==> #{2 => b,{1} => [1],"k" => #{1 => 1}}
-module(values_evaluated_in_order).
-export([f/1]).
f(X) -> #{X + 1 => a, X * 2 => b, {X} => [X], "k" => #{X => X}}.
