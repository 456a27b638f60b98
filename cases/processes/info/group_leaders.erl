%% A process inherits its group leader when it starts; later changes of the parent's do not reach it.
%%! inherited()           ==> {true,true,true,true}
%%! changed_for_another() ==> {true,true,false}
%%! later_change()        ==> true
%%! output_goes_there()   ==> {true,<<"hello">>,ok}
%%! bad()                 ==> error badarg
-module(group_leaders).
-export([inherited/0, changed_for_another/0, later_change/0, output_goes_there/0, bad/0]).
leader(P) -> {group_leader, L} = process_info(P, group_leader), L.
waiting() -> spawn(fun() -> receive stop -> ok end end).
inherited() ->
    Old = group_leader(),
    New = waiting(),
    Set = group_leader(New, self()),
    P = waiting(),
    group_leader(Old, self()),
    {Set, leader(P) =:= New, group_leader() =:= Old, group_leader(Old, P)}.
changed_for_another() ->
    New = waiting(),
    P = waiting(),
    Set = group_leader(New, P),
    Found = {Set, leader(P) =:= New, group_leader() =:= New},
    group_leader(group_leader(), P),
    Found.
later_change() ->
    Old = group_leader(),
    P = waiting(),
    group_leader(waiting(), self()),
    Found = leader(P) =:= Old,
    group_leader(Old, self()),
    Found.
output_goes_there() ->
    Me = self(),
    Old = group_leader(),
    P = spawn(fun() -> group_leader(Me, self()), Result = io:put_chars("hello"), group_leader(Old, self()), Me ! {self(), Result} end),
    receive
        {io_request, From, Tag, {put_chars, unicode, Text}} ->
            From ! {io_reply, Tag, ok},
            receive {P, Result} -> {From =:= P, Text, Result} end
    end.
bad() -> group_leader(name, self()).
