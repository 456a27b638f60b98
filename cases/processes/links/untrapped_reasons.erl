%% A linked process that does not trap exits dies of every reason but normal, and of the same reason.
%%! end_of(fun() -> ok end)                    ==> survived
%%! end_of(fun() -> exit(normal) end)          ==> survived
%%! end_of(fun() -> exit(shutdown) end)        ==> {died,shutdown}
%%! end_of(fun() -> exit({shutdown, why}) end) ==> {died,{shutdown,why}}
%%! end_of(fun() -> exit(kill) end)            ==> {died,kill}
%%! end_of(fun() -> exit(self(), kill) end)    ==> {died,killed}
%%! end_of(fun() -> error(bug) end)            ==> {died,{bug,stack}}
%%! end_of(fun() -> throw(ball) end)           ==> {died,{{nocatch,ball},stack}}
%%! end_of(fun() -> exit(any) end)             ==> {died,any}
-module(untrapped_reasons).
-export([end_of/1]).
end_of(F) ->
    Me = self(),
    {P, R} = spawn_monitor(fun() ->
                                   C = spawn_link(fun() -> receive go -> F() end end),
                                   M = monitor(process, C),
                                   C ! go,
                                   receive {'DOWN', M, _, _, _} -> Me ! {self(), survived} end
                           end),
    receive
        {P, survived} -> survived;
        {'DOWN', R, _, _, {Why, Stack}} when is_list(Stack) -> {died, {Why, stack}};
        {'DOWN', R, _, _, Why} -> {died, Why}
    end.
