%% array: default values, growth, fixed size.
%%! f()  ==> {6,one,undefined,[undefined,one,undefined,undefined,undefined,five],[{1,one},{5,five}],undefined}
%%! g(2) ==> {[0,1,2],[0,0,x]}
%%! g(3) ==> error badarg
-module(arrays).
-export([f/0, g/1]).
f() ->
    A = array:set(5, five, array:set(1, one, array:new())),
    {array:size(A), array:get(1, A), array:get(3, A), array:to_list(A), array:sparse_to_orddict(A), array:get(100, A)}.
g(N) -> A = array:new(3, [{default, 0}, {fixed, true}]),
    {array:to_list(array:map(fun(I, V) -> I + V end, A)), array:to_list(array:set(N, x, A))}.
