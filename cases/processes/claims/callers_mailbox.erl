%% A message that the caller has in its mailbox may be taken in place of the run's own. Where each clause compares a part of the
%% message with an identity that the run has made, that cannot happen.
%%? any_message/1: finds error:zero for (0); failures = 1; incomplete
%%? same_message/1: clean; incomplete
%%? other_clause/1: finds error:zero for (0); failures = 1; incomplete
%%? exits/1: finds error:killed for (0); failures = 1; incomplete
%%? input_reference/2: finds error:zero for (_, 0); failures = 1; incomplete
%%? own_reference/1: finds error:zero for (0); failures = 1; exhausts
%%? own_child/1: finds error:zero for (0); failures = 1; exhausts
%%? own_timer/1: finds error:zero for (0); failures = 1; exhausts
%%? own_monitor/1: finds error:killed for (0); failures = 1; exhausts
%%? guarded/1: finds error:zero for (0); failures = 1; exhausts
%%? in_map/1: finds error:zero for (0); failures = 1; exhausts
%%? of_child/1: finds error:zero for (0); failures = 1; exhausts
-module(callers_mailbox).
-export([any_message/1, same_message/1, other_clause/1, exits/1, input_reference/2]).
-export([own_reference/1, own_child/1, own_timer/1, own_monitor/1, guarded/1, in_map/1, of_child/1]).

-spec any_message(0..3) -> ok.
any_message(N) -> self() ! N, receive X -> judged(X) end.

-spec same_message(0..3) -> ok.
same_message(_) -> self() ! foo, receive foo -> ok; _ -> error(other) end.

-spec other_clause(0..3) -> ok.
other_clause(N) ->
    Ref = make_ref(),
    self() ! {Ref, N},
    receive {Ref, X} -> judged(X); {_, X} -> judged(X) end.

-spec exits(0..3) -> ok.
exits(N) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(N) end),
    receive {'EXIT', P, 0} -> error(killed); {'EXIT', _, _} -> ok end.

-spec input_reference(reference(), 0..3) -> ok.
input_reference(Ref, N) -> self() ! {Ref, N}, receive {Ref, X} -> judged(X) end.

-spec own_reference(0..3) -> ok.
own_reference(N) -> Ref = make_ref(), self() ! {Ref, N}, receive {Ref, X} -> judged(X) end.

-spec own_child(0..3) -> ok.
own_child(N) -> Me = self(), P = spawn(fun() -> Me ! {self(), N} end), receive {P, X} -> judged(X) end.

-spec own_timer(0..3) -> ok.
own_timer(N) -> Timer = erlang:start_timer(1, self(), N), receive {timeout, Timer, X} -> judged(X) end.

-spec own_monitor(0..3) -> ok.
own_monitor(N) ->
    {P, Monitor} = spawn_monitor(fun() -> exit({reason, N}) end),
    receive
        {'DOWN', Monitor, process, _, {reason, 0}} -> error(killed);
        {'DOWN', _, process, P, _} -> ok
    end.

-spec guarded(0..3) -> ok.
guarded(N) ->
    Ref = make_ref(),
    self() ! {a, Ref, N},
    receive
        {Tag, R, X} when is_atom(Tag), R =:= Ref, is_integer(X) -> judged(X);
        {_, R, X} when R == Ref, X =/= none -> error(none)
    end.

-spec in_map(0..3) -> ok.
in_map(N) -> Ref = make_ref(), self() ! #{Ref => N}, receive #{Ref := X} -> judged(X) end.

%% Nobody but the run sends anything to a process that it has just started.
-spec of_child(0..3) -> ok.
of_child(N) ->
    Me = self(),
    P = spawn(fun() -> receive X -> Me ! {self(), X} end end),
    P ! N,
    receive {P, X} -> judged(X) end.

judged(0) -> error(zero);
judged(_) -> ok.
