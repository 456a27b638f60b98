%% make_tuple, append, insert, delete.
%%! f()          ==> {{x,x,x},{d,c,d,x},{a,b},{{}}}
%%! g(-1)        ==> error badarg
%%! g(a)         ==> error badarg
%%! h({a, b}, 1) ==> {{new,a,b},{b}}
%%! h({a, b}, 3) ==> {{a,b,new},badarg}
%%! h({a, b}, 4) ==> error badarg
-module(construction).
-export([f/0, g/1, h/2]).
f() -> {make(3, x), erlang:make_tuple(4, d, [{2, b}, {4, x}, {2, c}]), erlang:append_element({a}, b),
    erlang:append_element({}, {})}.
make(N, V) -> erlang:make_tuple(N, V).
g(N) -> make(N, x).
h(T, N) -> {erlang:insert_element(N, T, new), catch_delete(N, T)}.
catch_delete(N, T) -> try erlang:delete_element(N, T) catch error:R -> R end.
