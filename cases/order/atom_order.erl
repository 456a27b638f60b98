%% Atoms compare by their text.
%%! lists:sort([b, a, aa, 'A', '', 'a b', true, false, 'é', 'ab']) ==> ['','A',a,'a b',aa,ab,b,false,true,é]
%%! f(abc, abd) ==> {true,false,abc}
%%! f(ab, abc)  ==> {true,false,ab}
-module(atom_order).
-export([f/2]).
f(A, B) -> {A < B, A > B, min(A, B)}.
