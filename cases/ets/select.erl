%% Match specifications: guards and bodies.
%%! f() ==> {[2,3],[{10,1},{30,3}],[{1,10},{three,3}],2}
%%! g() ==> {2,[{2,20}]}
-module(select).
-export([f/0, g/0]).
f() ->
    T = table(),
    {ets:select(T, [{{'$1', '$2'}, [{'>', '$2', 15}], ['$1']}]),
     ets:select(T, [{{'$1', '$2'}, [{'=:=', {'rem', '$1', 2}, 1}], [{{'$2', '$1'}}]}]),
     ets:select(T, [{{1, '_'}, [], ['$_']}, {{'$1', 30}, [], [{{three, '$1'}}]}]),
     ets:select_count(T, [{{'_', '$1'}, [{'<', '$1', 25}], [true]}])}.
g() ->
    T = table(),
    N = ets:select_delete(T, [{{'$1', '_'}, [{'orelse', {'==', '$1', 1}, {'==', '$1', 3}}], [true]}]),
    {N, ets:tab2list(T)}.
table() -> T = ets:new(t, [ordered_set]), ets:insert(T, [{1, 10}, {2, 20}, {3, 30}]), T.
