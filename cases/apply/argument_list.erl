%% apply(Fun, Args) wants a proper list.
%%! f([])      ==> ok
%%! f(x)       ==> badarg
%%! f([1 | 2]) ==> badarg
-module(argument_list).
-export([f/1]).
f(Args) -> try apply(fun() -> ok end, Args) catch error:badarg -> badarg; error:R -> element(1, R) end.
