%% Integer literals: bases, underscores, characters.
%%! f() ==> {3735928559,10,1295,1000000,97,10,65,32,1,-16}
-module(literals_in_bases).
-export([f/0]).
f() -> {16#dead_BEEF, 2#1010, 36#zz, 1_000_000, $a, $\n, $\x{41}, $\s, $\^a, -16#10}.
