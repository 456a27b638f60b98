%% A process that traps exits gets each end of a linked process as a message, with its reason.
%%! trapped(fun() -> ok end)                              ==> normal
%%! trapped(fun() -> exit(normal) end)                    ==> normal
%%! trapped(fun() -> exit(shutdown) end)                  ==> shutdown
%%! trapped(fun() -> exit({shutdown, why}) end)           ==> {shutdown,why}
%%! trapped(fun() -> exit(kill) end)                      ==> kill
%%! trapped(fun() -> exit(killed) end)                    ==> killed
%%! trapped(fun() -> exit({deep, [1, #{a => 2}]}) end)    ==> {deep,[1,#{a => 2}]}
%%! trapped(fun() -> exit(self(), kill) end)              ==> killed
%%! trapped(fun() -> exit(self(), other), receive never -> ok end end) ==> other
%%! trapped(fun() -> error(bug) end)                      ==> {bug,stack}
%%! trapped(fun() -> error({bug, 1}) end)                 ==> {{bug,1},stack}
%%! trapped(fun() -> throw(ball) end)                     ==> {{nocatch,ball},stack}
%%! trapped(fun() -> list_to_atom(1) end)                 ==> {badarg,stack}
%%! trapped(fun() -> 1 + a end)                           ==> {badarith,stack}
%%! trapped(fun() -> erlang:raise(exit, raised, []) end)  ==> raised
%%! trapped(fun() -> erlang:raise(error, raised, []) end) ==> {raised,stack}
-module(trapped_reasons).
-export([trapped/1]).
trapped(F) ->
    process_flag(trap_exit, true),
    P = spawn_link(F),
    receive {'EXIT', P, Why} -> without_stack(Why) end.
without_stack({Why, Stack}) when is_list(Stack), Why =/= deep -> {Why, stack};
without_stack(Why) -> Why.
