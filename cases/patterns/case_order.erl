%% The first clause that matches wins, and bound variables compare.
%%! f(1, 1)      ==> same
%%! f(1, 2)      ==> other
%%! f(1, {1, 2}) ==> {pair_with_same,2}
%%! f(1, {2, 2}) ==> {twins,2}
-module(case_order).
-export([f/2]).
f(X, Y) ->
    case Y of
        X -> same;
        {X, Z} -> {pair_with_same, Z};
        {Z, Z} -> {twins, Z};
        _ -> other
    end.
