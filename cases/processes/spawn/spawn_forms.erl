%% Every form of spawn runs its function in a new process, which is not the caller.
%%! forms()    ==> [{a,true,true},{b,true,true},{c,true,true},{d,true,true}]
%%! links()    ==> [{{a,true,true},normal},{{b,true,true},normal},{{c,true,true},normal},{{d,true,true},normal}]
%%! monitors() ==> [{{a,true,true},normal},{{b,true,true},normal},{{c,true,true},normal},{{d,true,true},normal}]
-module(spawn_forms).
-export([forms/0, links/0, monitors/0, tell/2]).
tell(To, Tag) -> To ! {Tag, self()}.
told(Tag, Pid) -> receive {Tag, Pid} -> {Tag, is_pid(Pid), Pid =/= self()} end.
forms() ->
    Me = self(),
    [told(Tag, Pid)
     || {Tag, Pid} <- [{a, spawn(fun() -> tell(Me, a) end)},
                       {b, spawn(node(), fun() -> tell(Me, b) end)},
                       {c, spawn(?MODULE, tell, [Me, c])},
                       {d, spawn(node(), ?MODULE, tell, [Me, d])}]].
links() ->
    Me = self(),
    process_flag(trap_exit, true),
    Pids = [{a, spawn_link(fun() -> tell(Me, a) end)},
            {b, spawn_link(node(), fun() -> tell(Me, b) end)},
            {c, spawn_link(?MODULE, tell, [Me, c])},
            {d, spawn_link(node(), ?MODULE, tell, [Me, d])}],
    [{told(Tag, Pid), receive {'EXIT', Pid, Why} -> Why end} || {Tag, Pid} <- Pids].
monitors() ->
    Me = self(),
    Pids = [{a, spawn_monitor(fun() -> tell(Me, a) end)},
            {b, spawn_monitor(node(), fun() -> tell(Me, b) end)},
            {c, spawn_monitor(?MODULE, tell, [Me, c])},
            {d, spawn_monitor(node(), ?MODULE, tell, [Me, d])}],
    [{told(Tag, Pid), receive {'DOWN', Ref, process, Pid, Why} -> Why end} || {Tag, {Pid, Ref}} <- Pids].
