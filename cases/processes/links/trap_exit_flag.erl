%% trap_exit counts when the signal arrives, and can be set and taken back.
%%! flag()       ==> {false,true,true,{trap_exit,false}}
%%! of_another() ==> {{trap_exit,true},{trap_exit,false}}
%%! late()       ==> {trapped,boom}
%%! taken_back() ==> boom
-module(trap_exit_flag).
-export([flag/0, of_another/0, late/0, taken_back/0]).
flag() -> {process_flag(trap_exit, true), process_flag(trap_exit, true), process_flag(trap_exit, false),
           process_info(self(), trap_exit)}.
of_another() ->
    Me = self(),
    P = spawn(fun() -> process_flag(trap_exit, true), Me ! {self(), ready}, receive stop -> ok end end),
    receive {P, ready} -> ok end,
    {process_info(P, trap_exit), process_info(self(), trap_exit)}.
late() ->
    Me = self(),
    {P, R} = spawn_monitor(fun() -> receive {Me, go} -> process_flag(trap_exit, true), Me ! {self(), set},
                                    receive {'EXIT', Me, Why} -> exit({trapped, Why}) end end end),
    P ! {Me, go},
    receive {P, set} -> exit(P, boom) end,
    receive {'DOWN', R, _, _, Why} -> Why end.
taken_back() ->
    Me = self(),
    {P, R} = spawn_monitor(fun() -> process_flag(trap_exit, true), process_flag(trap_exit, false), Me ! {self(), set},
                                    receive {'EXIT', Me, Why} -> exit({trapped, Why}) end end),
    receive {P, set} -> exit(P, boom) end,
    receive {'DOWN', R, _, _, Why} -> Why end.
