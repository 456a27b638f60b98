%% Objects, keys and compiled specifications in tables survive garbage collections.
%%! f(set) ==> {5000,12502500,true}
%%! f(ordered_set) ==> {5000,12502500,true}
%%! f(bag) ==> {5000,12502500,true}
%%! f(duplicate_bag) ==> {5000,12502500,true}
-module(survive_collections).
-export([f/1]).

f(Kind) ->
    Table = ets:new(table, [Kind]),
    Spec = ets:match_spec_compile([{{'_', '$1', "text"}, [], ['$1']}]),
    [ets:insert(Table, {key(N), N, "text"}) || N <- lists:seq(1, 5000)],
    garbage(20000),
    Found = [Value || N <- lists:seq(1, 5000), {_, Value, "text"} <- ets:lookup(Table, key(N))],
    garbage(20000),
    Numbers = ets:match_spec_run(ets:tab2list(Table), Spec),
    {length(Found), lists:sum(Numbers), Found =:= lists:seq(1, 5000)}.

key(N) -> {key, [N, x], <<N:32>>, N * 1.0, #{n => N}}.

garbage(0) -> ok;
garbage(N) ->
    _ = lists:duplicate(100, N),
    garbage(N - 1).
