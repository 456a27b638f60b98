%% A small rewriting system: patterns several levels deep.
%%! f({add, {num, 0}, {var, x}})                  ==> {var,x}
%%! f({mul, {num, 1}, {add, {var, y}, {num, 0}}}) ==> {var,y}
%%! f({mul, {add, {num, 0}, {num, 0}}, {var, z}}) ==> {num,0}
%%! f({neg, {neg, {var, a}}})                     ==> {var,a}
%%! f({add, {num, 2}, {num, 3}})                  ==> {num,5}
-module(deep_alternatives).
-export([f/1]).
f({add, A, B}) -> add(f(A), f(B));
f({mul, A, B}) -> mul(f(A), f(B));
f({neg, {neg, A}}) -> f(A);
f(E) -> E.
add({num, 0}, E) -> E;
add(E, {num, 0}) -> E;
add({num, A}, {num, B}) -> {num, A + B};
add(A, B) -> {add, A, B}.
mul({num, 0} = Zero, _) -> Zero;
mul({num, 1}, E) -> E;
mul(A, B) -> {mul, A, B}.
