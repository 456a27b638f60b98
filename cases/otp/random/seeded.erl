%% rand with a fixed seed gives a fixed sequence, for every algorithm.
%%! [f(A) || A <- [exsss, exrop, exsp, exs1024s]] ==> [{27,1093162265290687059723},{414,875007587478269655963},{814,1092404927241439055518},{158,115946545862895807513}]
%%! g(exsss)                                      ==> [2,3,1,6,5,2,2,4,6,1]
%%! h()                                           ==> {0.836894859500141,-0.11438419757100328,<<"£Îh\t">>}
-module(seeded).
-export([f/1, g/1, h/0]).
f(A) -> S = rand:seed_s(A, {1, 2, 3}), {N, S1} = rand:uniform_s(1000, S), {M, _} = rand:uniform_s(1 bsl 70, S1), {N, M}.
g(A) -> rand:seed(A, 42), [rand:uniform(6) || _ <- lists:seq(1, 10)].
h() -> rand:seed(exsss, 7), {rand:uniform(), rand:normal(), rand:bytes(4)}.
