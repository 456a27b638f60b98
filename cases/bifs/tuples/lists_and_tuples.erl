%% tuple_to_list and list_to_tuple.
%%! f({1, {2}, []}) ==> {[1,{2},[]],true}
%%! f({})           ==> {[],true}
%%! g([1, 2 | 3])   ==> error badarg
%%! g(x)            ==> error badarg
%%! h(1000)         ==> {1000,1000,500500}
-module(lists_and_tuples).
-export([f/1, g/1, h/1]).
f(T) -> L = tuple_to_list(T), {L, list_to_tuple(L) =:= T}.
g(L) -> list_to_tuple(L).
h(N) -> T = list_to_tuple(lists:seq(1, N)), {tuple_size(T), element(N, T), lists:sum(tuple_to_list(T))}.
