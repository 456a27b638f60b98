%% Who may read and write a table: its owner all, others by its protection.
%%! other(public)            ==> {[[{k,1}],true,[k],k,true,7,true],[{k,7}]}
%%! other(protected)         ==> {[[{k,1}],true,[k],k,{error,badarg},{error,badarg},{error,badarg}],[{k,1}]}
%%! other(private)           ==> {[{error,badarg},{error,badarg},{error,badarg},{error,badarg},{error,badarg},{error,badarg},{error,badarg}],[{k,1}]}
%%! other_deletes(public)    ==> {true,true}
%%! other_deletes(protected) ==> {{error,badarg},false}
%%! info_is_for_all()        ==> {1,private,ordered_set,true}
-module(table_access).
-export([other/1, other_deletes/1, info_is_for_all/0]).
attempt(F) -> try F() catch Class:Why -> {Class, Why} end.
elsewhere(F) ->
    Me = self(),
    P = spawn(fun() -> Me ! {self(), F()} end),
    receive {P, Result} -> Result end.
other(Protection) ->
    T = ets:new(t, [Protection]),
    ets:insert(T, {k, 1}),
    Theirs = elsewhere(fun() ->
        [attempt(fun() -> ets:lookup(T, k) end),
         attempt(fun() -> ets:member(T, k) end),
         attempt(fun() -> ets:select(T, [{{'$1', '_'}, [], ['$1']}]) end),
         attempt(fun() -> ets:first(T) end),
         attempt(fun() -> ets:insert(T, {k, 2}) end),
         attempt(fun() -> ets:update_counter(T, k, 5) end),
         attempt(fun() -> ets:delete(T, no_such_key) end)]
    end),
    {Theirs, ets:lookup(T, k)}.
other_deletes(Protection) ->
    T = ets:new(t, [Protection]),
    {elsewhere(fun() -> attempt(fun() -> ets:delete(T) end) end), ets:info(T) =:= undefined}.
info_is_for_all() ->
    T = ets:new(t, [private, ordered_set]),
    ets:insert(T, {1}),
    Me = self(),
    elsewhere(fun() -> {ets:info(T, size), ets:info(T, protection), ets:info(T, type), ets:info(T, owner) =:= Me} end).
