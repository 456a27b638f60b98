%% Pids and references as keys of an ordered table: their order is nothing that a program can rely on.
%%? first/1: clean; incomplete
%%? listed/1: clean; incomplete
%%? selected/1: clean; incomplete
%%? counted/1: finds error:zero for (0); failures = 1; exhausts
%%? behind_numbers/1: finds error:zero for (0); failures = 1; exhausts
-module(order_of_identities).
-export([first/1, listed/1, selected/1, counted/1, behind_numbers/1]).

table(N) ->
    Table = ets:new(t, [ordered_set]),
    ets:insert(Table, [{make_ref(), N}, {make_ref(), N + 1}]),
    Table.

-spec first(0..3) -> ok.
first(N) -> Table = table(N), true = is_reference(ets:first(Table)), ok.

-spec listed(0..3) -> ok.
listed(N) -> [{_, _}, {_, _}] = ets:tab2list(table(N)), ok.

-spec selected(0..3) -> ok.
selected(N) -> {[_], _} = ets:select(table(N), [{{'_', '$1'}, [], ['$1']}], 1), ok.

-spec counted(0..3) -> ok.
counted(N) ->
    case ets:select_count(table(N), [{{'_', 0}, [], [true]}]) of
        0 -> ok;
        1 -> error(zero)
    end.

-spec behind_numbers(0..3) -> ok.
behind_numbers(N) ->
    Table = ets:new(t, [ordered_set]),
    ets:insert(Table, [{{1, make_ref()}, N}, {{2, make_ref()}, 5}]),
    [{_, X}, {_, 5}] = ets:tab2list(Table),
    X =:= 0 andalso error(zero),
    ok.
