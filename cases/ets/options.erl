%% Bad options and deleted tables are badarg.
%%! f([bad_option]) ==> error badarg
%%! f(x)            ==> error badarg
%%! g()             ==> {undefined,badarg}
-module(options).
-export([f/1, g/0]).
f(Options) -> ets:new(t, Options).
g() -> T = ets:new(t, []), ets:delete(T), {ets:info(T), try ets:insert(T, {a}) catch error:R -> R end}.
