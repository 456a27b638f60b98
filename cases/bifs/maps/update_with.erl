%% update_with with and without a default; intersect.
%%! f(a, #{a => 1}) ==> #{a => 2}
%%! f(b, #{a => 1}) ==> error {badkey,b}
%%! g(b, #{a => 1}) ==> #{a => 1,b => 0}
%%! h()             ==> {#{b => 3},#{b => {b,2,3}}}
-module(update_with).
-export([f/2, g/2, h/0]).
f(K, M) -> maps:update_with(K, fun(X) -> X + 1 end, M).
g(K, M) -> maps:update_with(K, fun(X) -> X + 1 end, 0, M).
h() -> {maps:intersect(#{a => 1, b => 2}, #{b => 3, c => 4}),
    maps:intersect_with(fun(K, A, B) -> {K, A, B} end, #{a => 1, b => 2}, #{b => 3})}.
