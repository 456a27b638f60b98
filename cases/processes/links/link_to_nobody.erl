%% A link to a dead process says noproc: as a message where exits are trapped, as an error where not.
%%! trapping()  ==> {true,noproc}
%%! plain()     ==> {noproc,stack}
%%! with_self() ==> {true,{links,[]},true}
%%! bad(name)   ==> error badarg
-module(link_to_nobody).
-export([trapping/0, plain/0, with_self/0, bad/1]).
gone() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> P end.
trapping() ->
    process_flag(trap_exit, true),
    P = gone(),
    {link(P), receive {'EXIT', P, Why} -> Why end}.
plain() ->
    P = gone(),
    {_, R} = spawn_monitor(fun() -> link(P), receive never -> ok end end),
    receive {'DOWN', R, _, _, {Why, Stack}} when is_list(Stack) -> {Why, stack}; {'DOWN', R, _, _, Why} -> Why end.
with_self() -> {link(self()), process_info(self(), links), unlink(self())}.
bad(P) -> link(P).
