%% A table with an heir goes to it when the owner ends, with a message and its contents.
%%! inherited()      ==> {over,{{gift,1},true,[{a},{b}],true}}
%%! no_heir_left()   ==> {over,undefined}
%%! set_later()      ==> {over,{late,true,[{x}],true}}
%%! taken_back()     ==> {over,nothing,undefined}
%%! heir_of_itself() ==> {over,undefined}
%%! info()           ==> {true,true,none}
%%! bad()            ==> badarg
-module(table_heir).
-export([inherited/0, no_heir_left/0, set_later/0, taken_back/0, heir_of_itself/0, info/0, bad/0]).
owner(F) -> spawn_monitor(fun() -> F(), exit(over) end).
down({_, R}) -> receive {'DOWN', R, _, _, Why} -> Why end.
transfer({P, _}) ->
    receive {'ETS-TRANSFER', T, P, Data} -> {Data, ets:info(T, owner) =:= self(), lists:sort(ets:tab2list(T)), ets:insert(T, {new})}
    after 0 -> nothing
    end.
inherited() ->
    Me = self(),
    O = owner(fun() -> ets:insert(ets:new(t, [private, {heir, Me, {gift, 1}}]), [{a}, {b}]) end),
    {down(O), transfer(O)}.
no_heir_left() ->
    {Heir, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> ok end,
    Me = self(),
    O = owner(fun() -> Me ! {table, ets:new(t, [{heir, Heir, gift}])} end),
    {down(O), receive {table, T} -> ets:info(T) end}.
set_later() ->
    Me = self(),
    O = owner(fun() -> T = ets:new(t, []), ets:insert(T, {x}), ets:setopts(T, {heir, Me, late}) end),
    {down(O), transfer(O)}.
taken_back() ->
    Me = self(),
    O = owner(fun() -> T = ets:new(t, [{heir, Me, gift}]), true = ets:setopts(T, [{heir, none}]), Me ! {table, T} end),
    {down(O), transfer(O), receive {table, T} -> ets:info(T) end}.
heir_of_itself() ->
    Me = self(),
    O = owner(fun() -> Me ! {table, ets:new(t, [{heir, self(), gift}])} end),
    {down(O), receive {table, T} -> ets:info(T) end}.
info() ->
    Me = self(),
    T = ets:new(t, [{heir, Me, gift}]),
    {ets:info(T, heir) =:= Me, ets:setopts(T, {heir, none}), ets:info(T, heir)}.
bad() ->
    Me = self(),
    T = ets:new(t, [public]),
    {_, R} = spawn_monitor(fun() -> ets:setopts(T, {heir, Me, x}) end),
    receive {'DOWN', R, _, _, {Why, _}} -> Why end.
