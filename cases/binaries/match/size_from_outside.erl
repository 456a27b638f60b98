%% The size may be a variable bound before, or an expression over such.
%%! f(1, <<1, 2, 3>>)  ==> <<1>>
%%! f(3, <<1, 2, 3>>)  ==> <<1,2,3>>
%%! f(4, <<1, 2, 3>>)  ==> no
%%! f(-1, <<1, 2, 3>>) ==> no
%%! f(a, <<1, 2, 3>>)  ==> no
%%! g(2, <<"abcdef">>) ==> <<"c">>
-module(size_from_outside).
-export([f/2, g/2]).
f(N, B) -> case B of <<X:N/binary, _/binary>> -> X; _ -> no end.
g(N, B) -> <<_:(N * 8), X:(N - 1)/binary, _/binary>> = B, X.
