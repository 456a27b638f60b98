%% Operations on floats are instructions of their own: a stack trace does not name the operator.
%%! top(fun() -> divided(5, 0) end)                   ==> {badarith,float_operations,divided,2}
%%! top(fun() -> divided(x, 1) end)                   ==> {badarith,float_operations,divided,2}
%%! top(fun() -> scaled(x) end)                       ==> {badarith,float_operations,scaled,1}
%%! top(fun() -> scaled(1.7e308) end)                 ==> {badarith,float_operations,scaled,1}
%%! top(fun() -> chained(x) end)                      ==> {badarith,float_operations,chained,1}
%%! top(fun() -> chained(0) end)                      ==> {badarith,float_operations,chained,1}
%%! top(fun() -> rooted(x) end)                       ==> {badarith,float_operations,rooted,1}
%%! top(fun() -> multiplied(x, 1) end)                ==> {badarith,erlang,'*',[x,1]}
%%! top(fun() -> multiplied(1.0e308, 1.0e308) end)    ==> {badarith,erlang,'*',[1.0e308,1.0e308]}
%%! top(fun() -> added(1, x) end)                     ==> {badarith,erlang,'+',[1,x]}
%%! top(fun() -> negated(x) end)                      ==> {badarith,erlang,'-',[x]}
%%! top(fun() -> applied([1, 0]) end)                 ==> {badarith,erlang,'/',[1,0]}
%%! top(fun() -> divided_by(fun erlang:'/'/2, 0) end) ==> {badarith,erlang,'/',[1,0]}
%%! top(fun() -> inner(0) end)                        ==> {badarith,float_operations,'-inner/1-fun-0-',1}
-module(float_operations).
-export([top/1, divided/2, scaled/1, chained/1, rooted/1, multiplied/2, added/2, negated/1, divided_by/2, applied/1, inner/1]).

top(F) ->
    try F()
    catch
        error:Reason:Stack ->
            [{M, N, A, _} | _] = Stack,
            {Reason, M, N, A}
    end.

divided(X, Y) -> [X / Y].

scaled(X) -> [X * 2.0].

chained(X) ->
    Y = X * 1.5,
    Z = Y / X,
    {Y, Z + X}.

rooted(X) -> [math:sqrt(4) + X].

multiplied(X, Y) -> [X * Y].

added(X, Y) -> [X + Y].

negated(X) -> [-X].

divided_by(F, X) -> [F(1, X)].

applied(Args) -> [apply(erlang, '/', Args)].

inner(X) -> lists:map(fun(Y) -> 5 / Y end, [X]).
