%% Sizes may be computed; bad ones raise badarg.
%%! f(1, 12)  ==> <<0,1:4>>
%%! f(1, 0)   ==> <<>>
%%! f(1, -1)  ==> error badarg
%%! f(1, a)   ==> error badarg
%%! f(a, 8)   ==> error badarg
%%! f(1.0, 8) ==> error badarg
-module(sizes_from_variables).
-export([f/2]).
f(V, N) -> <<V:N>>.
