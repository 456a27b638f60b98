%% keyfind with odd positions and lists.
%%! f(b, 2, [{a}, {a, b}, {c, b}]) ==> {a,b}
%%! f(b, 3, [{a, b}])              ==> false
%%! f(b, 0, [{a}])                 ==> error badarg
%%! f(b, a, [{a}])                 ==> error badarg
%%! f(b, 1, [{a} | x])             ==> error badarg
-module(key_positions).
-export([f/3]).
f(K, N, L) -> lists:keyfind(K, N, L).
