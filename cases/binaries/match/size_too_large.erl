%% A size beyond the data, or beyond any memory, just does not match.
%%! f(16, <<1, 2>>)        ==> 258
%%! f(17, <<1, 2>>)        ==> no
%%! f(1 bsl 40, <<1, 2>>)  ==> no
%%! f(1 bsl 100, <<1, 2>>) ==> no
%%! g(1 bsl 61, <<1, 2>>)  ==> no
-module(size_too_large).
-export([f/2, g/2]).
f(N, B) -> case B of <<X:N>> -> X; _ -> no end.
g(N, B) -> case B of <<X:N/binary, _/binary>> -> X; <<X:N/unit:8, _/binary>> -> X; _ -> no end.
