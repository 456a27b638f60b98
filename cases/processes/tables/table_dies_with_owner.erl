%% A table lives as long as the process that made it.
%%! unnamed()            ==> {{[{a,1}],true,2},undefined,{error,badarg}}
%%! named()              ==> {{[{b,2}],true},undefined,{error,badarg}}
%%! name_is_free_again() ==> {{error,badarg},table_dies_with_owner_t,[]}
%%! survives_others()    ==> [{from,child}]
-module(table_dies_with_owner).
-export([unnamed/0, named/0, name_is_free_again/0, survives_others/0]).
-define(NAME, table_dies_with_owner_t).
owner(Me, Options) ->
    spawn(fun() ->
        T = ets:new(?NAME, Options),
        ets:insert(T, [{a, 1}, {b, 2}]),
        Me ! {self(), T},
        receive Why -> exit(Why) end
    end).
gone(P) ->
    R = monitor(process, P),
    P ! over,
    receive {'DOWN', R, _, _, over} -> ok end.
attempt(F) -> try F() catch Class:Why -> {Class, Why} end.
unnamed() ->
    P = owner(self(), [public]),
    receive {P, T} -> ok end,
    Before = {ets:lookup(T, a), ets:info(T, owner) =:= P, ets:info(T, size)},
    gone(P),
    {Before, ets:info(T), attempt(fun() -> ets:lookup(T, a) end)}.
named() ->
    P = owner(self(), [named_table]),
    receive {P, ?NAME} -> ok end,
    Before = {ets:lookup(?NAME, b), ets:whereis(?NAME) =/= undefined},
    gone(P),
    {Before, ets:whereis(?NAME), attempt(fun() -> ets:insert(?NAME, {c, 3}) end)}.
name_is_free_again() ->
    P = owner(self(), [named_table]),
    receive {P, ?NAME} -> ok end,
    Taken = attempt(fun() -> ets:new(?NAME, [named_table]) end),
    gone(P),
    T = ets:new(?NAME, [named_table]),
    Found = {Taken, T, ets:tab2list(T)},
    ets:delete(T),
    Found.
survives_others() ->
    T = ets:new(?NAME, [public]),
    {_, R} = spawn_monitor(fun() -> ets:insert(T, {from, child}), exit(over) end),
    receive {'DOWN', R, _, _, over} -> ets:tab2list(T) end.
