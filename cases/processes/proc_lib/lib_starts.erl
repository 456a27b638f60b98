%% proc_lib:start waits until the new process says how it went.
%%! acknowledged()  ==> true
%%! any_answer()    ==> [some,term]
%%! failed()        ==> {error,why}
%%! dies_first()    ==> [{error,{bug,stack}},{error,bug},{error,{{nocatch,bug},stack}}]
%%! ends_silently() ==> {error,normal}
%%! in_vain()       ==> {error,timeout}
%%! linked()        ==> {normal,{error,no},no}
%%! monitored()     ==> normal
%%! plain_spawns()  ==> [{true,a},{true,b},{true,c}]
-module(lib_starts).
-export([acknowledged/0, any_answer/0, failed/0, dies_first/0, ends_silently/0, in_vain/0, linked/0, monitored/0, plain_spawns/0, child/1]).
child({ack, What}) -> proc_lib:init_ack(What), receive stop -> ok end;
child({ack_own, Tag}) -> proc_lib:init_ack({ok, self(), Tag}), receive stop -> ok end;
child({raise, Class, Why}) -> erlang:raise(Class, Why, []);
child(silent) -> ok;
child(never) -> receive never -> ok end;
child({fail, Parent, Why}) -> proc_lib:init_ack(Parent, {error, Why}), exit(Why).
start(How) -> proc_lib:start(?MODULE, child, [How]).
acknowledged() -> {ok, P, tag} = start({ack_own, tag}), is_process_alive(P).
any_answer() -> start({ack, [some, term]}).
failed() -> start({fail, self(), why}).
dies_first() -> [short(start({raise, Class, bug})) || Class <- [error, exit, throw]].
short({error, {Why, Stack}}) when is_list(Stack) -> {error, {Why, stack}};
short(Other) -> Other.
ends_silently() -> start(silent).
in_vain() -> proc_lib:start(?MODULE, child, [never], 20).
linked() ->
    process_flag(trap_exit, true),
    {ok, P, x} = proc_lib:start_link(?MODULE, child, [{ack_own, x}]),
    P ! stop,
    receive {'EXIT', P, Why} -> {Why, proc_lib:start_link(?MODULE, child, [{fail, self(), no}]), receive {'EXIT', _, W} -> W end} end.
monitored() ->
    {{ok, P, m}, R} = proc_lib:start_monitor(?MODULE, child, [{ack_own, m}]),
    P ! stop,
    receive {'DOWN', R, process, P, Why} -> Why end.
plain_spawns() ->
    Me = self(),
    Fs = [fun() -> proc_lib:spawn(fun() -> Me ! a end) end, fun() -> proc_lib:spawn_link(fun() -> Me ! b end) end,
          fun() -> element(1, proc_lib:spawn_opt(fun() -> Me ! c end, [monitor])) end],
    [begin P = F(), {is_pid(P), receive M when is_atom(M) -> M end} end || F <- Fs].
