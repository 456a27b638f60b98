%% demonitor stops a monitor; its options flush what has arrived and tell whether there was one.
%%! alive([])            ==> {true,nothing}
%%! alive([flush])       ==> {true,nothing}
%%! alive([info])        ==> {true,nothing}
%%! alive([flush, info]) ==> {true,nothing}
%%! ended([])            ==> {true,{left,gone}}
%%! ended([flush])       ==> {true,nothing}
%%! ended([info])        ==> {false,{left,gone}}
%%! ended([flush, info]) ==> {false,nothing}
%%! twice()              ==> {true,false,true}
%%! of_another()         ==> true
%%! bad(1, [])           ==> error badarg
%%! bad(make_ref(), x)   ==> error badarg
-module(demonitoring).
-export([alive/1, ended/1, twice/0, of_another/0, bad/2]).
alive(Options) ->
    P = spawn(fun() -> receive Why -> exit(Why) end end),
    R = monitor(process, P),
    Known = demonitor(R, Options),
    R2 = monitor(process, P),
    P ! gone,
    receive {'DOWN', R2, _, _, gone} -> {Known, left(R)} end.
ended(Options) ->
    P = spawn(fun() -> receive Why -> exit(Why) end end),
    R = monitor(process, P),
    R2 = monitor(process, P),
    P ! gone,
    receive {'DOWN', R2, _, _, gone} -> ok end,
    {demonitor(R, Options), left(R)}.
left(R) -> receive {'DOWN', R, _, _, Why} -> {left, Why} after 0 -> nothing end.
twice() ->
    R = monitor(process, spawn(fun() -> receive never -> ok end end)),
    {demonitor(R, [info]), demonitor(R, [info]), demonitor(R)}.
of_another() ->
    Me = self(),
    spawn(fun() -> Me ! {ref, monitor(process, Me)}, receive never -> ok end end),
    receive {ref, R} -> try demonitor(R) catch Class:Why -> {Class, Why} end end.
bad(R, Options) -> demonitor(R, Options).
