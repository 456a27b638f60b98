%% spawn_opt links, monitors and sets flags as its options say.
%%! link()                  ==> linked
%%! monitor()               ==> watched
%%! both()                  ==> {both,both}
%%! tagged()                ==> tagged
%%! aliased()               ==> {delivered,normal}
%%! priority(high)          ==> {priority,high}
%%! priority(low)           ==> {priority,low}
%%! quiet()                 ==> ran
%%! bad([no_such_option])   ==> error badarg
%%! bad([{priority, fast}]) ==> error badarg
%%! bad([link | monitor])   ==> error badarg
%%! bad(x)                  ==> error badarg
-module(spawn_options).
-export([link/0, monitor/0, both/0, tagged/0, aliased/0, priority/1, quiet/0, bad/1, leave/1]).
leave(Why) -> exit(Why).
link() ->
    process_flag(trap_exit, true),
    P = spawn_opt(fun() -> leave(linked) end, [link]),
    receive {'EXIT', P, Why} -> Why end.
monitor() ->
    {P, R} = spawn_opt(?MODULE, leave, [watched], [monitor]),
    receive {'DOWN', R, process, P, Why} -> Why end.
both() ->
    process_flag(trap_exit, true),
    {P, R} = spawn_opt(node(), ?MODULE, leave, [both], [link, monitor]),
    {receive {'EXIT', P, Why} -> Why end, receive {'DOWN', R, process, P, Why2} -> Why2 end}.
tagged() ->
    {P, R} = spawn_opt(fun() -> leave(tagged) end, [{monitor, [{tag, {my, tag}}]}]),
    receive {{my, tag}, R, process, P, Why} -> Why end.
aliased() ->
    Me = self(),
    {P, R} = spawn_opt(fun() -> receive {go, A} -> A ! {by_alias, self()}, Me ! {directly, self()} end end,
                       [{monitor, [{alias, demonitor}]}]),
    P ! {go, R},
    receive {directly, P} -> ok end,
    First = receive {by_alias, P} -> delivered after 0 -> lost end,
    receive {'DOWN', R, _, _, Why} -> {First, Why} end.
priority(Level) ->
    Me = self(),
    spawn_opt(fun() -> Me ! {level, process_info(self(), priority)} end, [{priority, Level}]),
    receive {level, Found} -> Found end.
quiet() ->
    Options = [{fullsweep_after, 10}, {min_heap_size, 500}, {min_bin_vheap_size, 500}, {message_queue_data, off_heap},
               {max_heap_size, 0}, {priority, normal}],
    Me = self(),
    P = spawn_opt(fun() -> Me ! {self(), ran} end, Options),
    receive {P, What} -> What end.
bad(Options) -> spawn_opt(fun() -> ok end, Options).
