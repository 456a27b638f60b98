%% Comprehensions that build binaries and bitstrings.
%%! f([1, 2, 3])        ==> <<0,1,0,2,0,3>>
%%! g(<<1, 2, 3>>)      ==> <<1,1,3,3>>
%%! h(<<16#12, 16#34>>) ==> <<"!C">>
%%! odd([1, 0, 1])      ==> <<5:3>>
%%! bad([1, a])         ==> error badarg
-module(binary_result).
-export([f/1, g/1, h/1, odd/1, bad/1]).
f(L) -> << <<X:16>> || X <- L >>.
g(B) -> << <<X, X>> || <<X>> <= B, X =/= 2 >>.
h(B) -> << <<Y:4, X:4>> || <<X:4, Y:4>> <= B >>.
odd(L) -> << <<X:1>> || X <- L >>.
bad(L) -> << <<X>> || X <- L >>.
