%% The native functions of lists: member by exact equality, keys by ==.
%%! f(1, [1.0, 2])           ==> false
%%! f(2, [1.0, 2])           ==> true
%%! k(1, [{1.0, a}, {2, b}]) ==> {true,{1.0,a},{value,{1.0,a}}}
%%! k(x, [{1.0, a}, b, {}])  ==> {false,false,false}
%%! f(1, [2 | 3])            ==> error badarg
%%! f(1, x)                  ==> error badarg
-module(member_and_keys).
-export([f/2, k/2]).
f(X, L) -> lists:member(X, L).
k(K, L) -> {lists:keymember(K, 1, L), lists:keyfind(K, 1, L), lists:keysearch(K, 1, L)}.
