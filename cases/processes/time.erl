%% Times are integers and do not run backwards.
%%! f() ==> {true,true}
%%! g() ==> {true,true,true}
%%! h() ==> {true,true,true,2}
-module(time).
-export([f/0, g/0, h/0]).
f() -> A = erlang:monotonic_time(), B = erlang:monotonic_time(), {is_integer(A), A =< B}.
g() -> {is_integer(erlang:system_time(millisecond)), is_integer(os:system_time()), is_integer(erlang:time_offset())}.
h() -> {M, S, U} = erlang:timestamp(), {is_integer(M), S < 1000000, U < 1000000, tuple_size(erlang:localtime())}.
