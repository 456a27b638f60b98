%% Small programs around a call, and programs whose results only what was there before them can change. They are compiled, as
%% traces of evaluated code are longer than what is kept of a trace.
-module(beagle_programs).

-export([caught/3, caught_length/3, ordered/3, answered/3, spawned/3]).
-export([first_message/0, any_message/0, late_message/0, timer_message/0, exit_message/0, spawned_message/0, own_reference/0,
         own_child/0, own_timer/0, own_monitor/0, own_alias/0]).
-export([caught_depth/0, caught_reason/0, traced_depth/0, caught_in_child/0]).
-export([first_key/0, last_key/0, listed_keys/0, selected_keys/0, chunk_of_keys/0, next_key/0, folded_keys/0, slot_of_key/0,
         lonely_key/0, keys_with_times/0]).
-export([node_of_table/0, is_compressed/0, type_of_table/0]).
-export([ancestors/0, ancestors_in_start/0, initial_call/0, translated_call/0, head_of_ancestors/0, callers/0, has_ancestors/0]).
-export([named_device/0, wide_text/0, wide_format/0, narrow_text/0, user_device/0, dead_device/0]).

%% Around a call.

caught(M, F, Args) ->
    case catch apply(M, F, Args) of
        {'EXIT', {Reason, _}} -> {failed, Reason};
        Value -> Value
    end.

caught_length(M, F, Args) ->
    case catch apply(M, F, Args) of
        {'EXIT', {_, Trace}} when is_list(Trace) -> {failed, length(Trace) > 2};
        Value -> Value
    end.

ordered(M, F, Args) ->
    Value = apply(M, F, Args),
    Table = ets:new(t, [ordered_set]),
    ets:insert(Table, [{Value}, {self()}]),
    ets:tab2list(Table).

answered(M, F, Args) ->
    Self = self(),
    Reference = make_ref(),
    spawn(fun() -> Self ! {Reference, catch_all(M, F, Args)} end),
    receive {Reference, Value} -> Value end.

spawned(M, F, Args) ->
    Self = self(),
    Child = proc_lib:spawn(fun() -> Self ! {self(), catch_all(M, F, Args)} end),
    receive {Child, Value} -> Value end.

catch_all(M, F, Args) ->
    try apply(M, F, Args) catch Class:Reason -> {Class, Reason} end.

%% The mailbox of the caller.

first_message() -> self() ! foo, receive foo -> ok; _ -> other end.

any_message() -> self() ! foo, receive X -> X end.

late_message() -> self() ! ok, self() ! done, receive done -> ok end, receive ok -> ok end, receive X -> X after 0 -> none end.

timer_message() -> erlang:send_after(1, self(), foo), receive foo -> ok; _ -> other end.

exit_message() ->
    process_flag(trap_exit, true),
    Child = spawn_link(fun() -> ok end),
    receive {'EXIT', Child, _} -> ok; {_, _} -> other end.

spawned_message() -> Self = self(), spawn(fun() -> Self ! {b, 2} end), receive {_, N} -> N end.

own_reference() -> Reference = make_ref(), self() ! {Reference, 1}, receive {Reference, X} -> X end.

own_child() -> Self = self(), Child = spawn(fun() -> Self ! {self(), 1} end), receive {Child, X} -> X end.

own_timer() -> Timer = erlang:start_timer(1, self(), foo), receive {timeout, Timer, X} -> X end.

own_monitor() -> {P, Monitor} = spawn_monitor(fun() -> exit(a) end), receive {'DOWN', Monitor, process, P, R} -> R end.

own_alias() -> Alias = alias(), Alias ! {Alias, 1}, receive {Alias, X} when X > 0, is_integer(X) -> X end.

%% Traces.

caught_depth() -> case catch error(x) of {'EXIT', {x, Trace}} when length(Trace) > 4 -> long; _ -> short end.

caught_reason() -> case catch error(x) of {'EXIT', {x, _}} -> ok; Other -> Other end.

traced_depth() -> try error(x) catch error:x:Trace -> length(Trace) > 4 end.

caught_in_child() ->
    Self = self(),
    Child = spawn(fun() -> Self ! {self(), catch error(x)} end),
    receive {Child, {'EXIT', {x, Trace}}} -> length(Trace) end.

%% Identities as keys.

table() ->
    Table = ets:new(t, [ordered_set]),
    ets:insert(Table, [{spawn(fun() -> ok end)}, {self()}]),
    Table.

is_own(Pid) -> Pid =:= self().

first_key() -> is_own(ets:first(table())).

last_key() -> is_own(ets:last(table())).

next_key() -> Table = table(), ets:next(Table, self()) =:= '$end_of_table'.

slot_of_key() -> [{Pid}] = ets:slot(table(), 0), is_own(Pid).

listed_keys() -> [is_own(Pid) || {Pid} <- ets:tab2list(table())].

selected_keys() -> [is_own(Pid) || Pid <- ets:select_reverse(table(), [{{'$1'}, [], ['$1']}])].

chunk_of_keys() -> {[[Pid]], _} = ets:match(table(), {'$1'}, 1), is_own(Pid).

folded_keys() -> ets:foldl(fun({Pid}, Before) -> [is_own(Pid) | Before] end, [], table()).

lonely_key() -> Table = ets:new(t, [ordered_set]), ets:insert(Table, [{self()}, {a}, {1}]), is_own(ets:last(Table)).

keys_with_times() ->
    Table = ets:new(t, [ordered_set]),
    ets:insert(Table, [{{1, spawn(fun() -> ok end)}}, {{2, self()}}]),
    {Time, _} = ets:first(Table),
    Time.

%% Tables.

node_of_table() -> ets:info(ets:new(t, []), node).

is_compressed() -> {ets:info(ets:new(t, []), compressed), length(ets:info(ets:new(t, [])))}.

type_of_table() -> ets:info(ets:new(t, []), type).

%% Where a process comes from.

in_child(Ask) ->
    Self = self(),
    Child = proc_lib:spawn(fun() -> Self ! {self(), Ask()} end),
    receive {Child, Said} -> Said end.

ancestors() -> in_child(fun() -> length(get('$ancestors')) end).

has_ancestors() -> in_child(fun() -> is_list(get('$ancestors')) end).

head_of_ancestors() -> in_child(fun() -> tl(get('$ancestors')) end).

callers() -> in_child(fun() -> get('$callers') end).

ancestors_in_start() ->
    Start = fun(Parent) -> proc_lib:init_ack(Parent, {ok, length(get('$ancestors'))}) end,
    Self = self(),
    proc_lib:start(erlang, apply, [Start, [Self]]).

initial_call() -> proc_lib:initial_call(self()).

translated_call() -> proc_lib:translate_initial_call(self()).

%% Devices.

named_device() -> (catch io:format(hello, "x", [])) =:= ok.

wide_text() -> catch_all(io, put_chars, [[1024]]).

wide_format() -> catch_all(io, format, ["~ts", [[1024]]]).

narrow_text() -> io:format("~p~n", [a]).

user_device() -> catch_all(io, nl, [user]).

dead_device() ->
    Group = group_leader(),
    {Child, Monitor} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Monitor, _, _, _} -> ok end,
    catch_all(io, put_chars, [Child, "x"]),
    group_leader() =:= Group.
