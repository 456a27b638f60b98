%% Sizes that no memory could hold raise system_limit.
%%! f(1 bsl 64)  ==> error system_limit
%%! f(1 bsl 100) ==> error system_limit
%%! g(1 bsl 62)  ==> error system_limit
-module(size_overflow).
-export([f/1, g/1]).
f(N) -> <<0:N>>.
g(N) -> <<0:N/unit:256>>.
