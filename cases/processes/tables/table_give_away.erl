%% give_away makes another process the owner and tells it so.
%%! given()                   ==> {true,true,{some,data},[{a}],true,true,[{a},{by,keeper}],{error,badarg}}
%%! then_the_new_owner_ends() ==> undefined
%%! private_moves()           ==> {[{secret}],{error,badarg}}
%%! not_mine()                ==> {error,badarg}
%%! to_dead()                 ==> {error,badarg}
%%! to_myself()               ==> {error,badarg}
-module(table_give_away).
-export([given/0, then_the_new_owner_ends/0, private_moves/0, not_mine/0, to_dead/0, to_myself/0]).
attempt(F) -> try F() catch Class:Why -> {Class, Why} end.
keeper(Me) ->
    spawn(fun() ->
        receive {'ETS-TRANSFER', T, From, Data} ->
            Me ! {self(), From =:= Me, Data, attempt(fun() -> ets:tab2list(T) end), attempt(fun() -> ets:insert(T, {by, keeper}) end)}
        end,
        receive stop -> ok end
    end).
given() ->
    P = keeper(self()),
    T = ets:new(t, []),
    ets:insert(T, {a}),
    Given = ets:give_away(T, P, {some, data}),
    receive {P, Mine, Data, Seen, Written} ->
        {Given, Mine, Data, Seen, Written, ets:info(T, owner) =:= P, lists:sort(ets:tab2list(T)),
         attempt(fun() -> ets:insert(T, {no}) end)}
    end.
then_the_new_owner_ends() ->
    P = keeper(self()),
    R = monitor(process, P),
    T = ets:new(t, [public]),
    ets:give_away(T, P, x),
    receive {P, _, x, _, _} -> P ! stop end,
    receive {'DOWN', R, _, _, normal} -> ets:info(T) end.
private_moves() ->
    P = keeper(self()),
    T = ets:new(t, [private]),
    ets:insert(T, {secret}),
    ets:give_away(T, P, x),
    receive {P, _, x, Seen, _} -> {Seen, attempt(fun() -> ets:tab2list(T) end)} end.
not_mine() ->
    T = ets:new(t, [public]),
    Me = self(),
    P = spawn(fun() -> Me ! {self(), attempt(fun() -> ets:give_away(T, self(), x) end)} end),
    receive {P, Result} -> Result end.
to_dead() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> ok end,
    attempt(fun() -> ets:give_away(ets:new(t, []), P, x) end).
to_myself() -> attempt(fun() -> ets:give_away(ets:new(t, []), self(), x) end).
