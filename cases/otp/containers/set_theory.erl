%% sofs: relations and their images.
%%! f() ==> {[a,b],[1,3],[{a,[1,3]},{b,[2]}],[1,2,3]}
-module(set_theory).
-export([f/0]).
f() ->
    R = sofs:relation([{1, a}, {2, b}, {3, a}]),
    {sofs:to_external(sofs:image(R, sofs:set([1, 2]))), sofs:to_external(sofs:inverse_image(R, sofs:set([a]))),
     sofs:to_external(sofs:relation_to_family(sofs:converse(R))), sofs:to_external(sofs:domain(R))}.
