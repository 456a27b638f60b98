%% A switch over many literals of several kinds.
%%! [f(X) || X <- [0, 1, 5, 9, 10, -1, 1000000000000, a, m, z, zz, "", 2.5]] ==> [zero,one,five,nine,other,minus_one,trillion,atom_a,atom_m,atom_z,other,nil,float]
-module(many_literals).
-export([f/1]).
f(0) -> zero; f(1) -> one; f(2) -> two; f(3) -> three; f(4) -> four;
f(5) -> five; f(6) -> six; f(7) -> seven; f(8) -> eight; f(9) -> nine;
f(1000000000000) -> trillion; f(-1) -> minus_one;
f(a) -> atom_a; f(m) -> atom_m; f(z) -> atom_z; f("") -> nil; f(2.5) -> float;
f(_) -> other.
