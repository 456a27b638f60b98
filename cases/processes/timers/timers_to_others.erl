%% Timers send to other processes and to names; what is dead or unknown when they end gets nothing.
%%! to_process()     ==> ok
%%! to_name()        ==> hello
%%! name_later()     ==> hello
%%! to_dead()        ==> {true,false}
%%! starter_dies()   ==> sent
%%! bad(1.5, x)      ==> error badarg
%%! bad(5, "nobody") ==> error badarg
-module(timers_to_others).
-export([to_process/0, to_name/0, name_later/0, to_dead/0, starter_dies/0, bad/2]).
-define(NAME, timers_to_others_name).
relay(Me) -> spawn(fun() -> receive M -> Me ! {relayed, M} end end).
relayed() -> receive {relayed, M} -> M end.
to_process() ->
    P = relay(self()),
    R = erlang:start_timer(5, P, hello),
    case relayed() of {timeout, R, hello} -> ok; Other -> Other end.
to_name() -> register(?NAME, relay(self())), erlang:send_after(5, ?NAME, hello), relayed().
%% The name is looked up when the timer ends.
name_later() -> erlang:send_after(120, ?NAME, hello), register(?NAME, relay(self())), relayed().
to_dead() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> ok end,
    T = erlang:send_after(1000, P, lost),
    {is_reference(T), erlang:read_timer(T)}.
starter_dies() ->
    Me = self(),
    {_, R} = spawn_monitor(fun() -> erlang:send_after(20, Me, still) end),
    receive {'DOWN', R, _, _, _} -> ok end,
    receive still -> sent end.
bad(Time, To) -> erlang:send_after(Time, To, x).
