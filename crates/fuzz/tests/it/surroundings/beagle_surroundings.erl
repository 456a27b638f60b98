%% Evaluates expressions in a runtime whose surroundings are made on purpose: what the caller of a function has and what others
%% have done before. Arguments: a file with one expression a line, the file for the answers, the number of expressions to skip,
%% and `plain` or `rich` for the surroundings.
-module(beagle_surroundings).

-export([main/0]).

-define(MOST_MILLISECONDS, 4000).
-define(MOST_WORDS, 8000000).
-define(MOST_CHARACTERS, 4000).
%% Numbers of pids begin anew after this one, and a place among 1024 processes gives every 1024th.
-define(LARGEST_NUMBER, 32767).
-define(PLACES, 1024).

main() ->
    [Questions, Answers, Skipped, Kind] = init:get_plain_arguments(),
    Surroundings = list_to_atom(Kind),
    furnish(Surroundings),
    {ok, Text} = file:read_file(Questions),
    Lines = lists:nthtail(list_to_integer(Skipped), binary:split(Text, <<"\n">>, [global, trim])),
    {ok, File} = file:open(Answers, [append, raw, binary]),
    [ok = file:write(File, [answer(Line, Surroundings), $\n]) || Line <- Lines],
    ok = file:close(File),
    erlang:halt(0, [{flush, false}]).

%% What others have done before the call.
furnish(plain) ->
    ok;
furnish(rich) ->
    %% A release loads all of its code before it starts.
    [code:add_pathz(Folder) || Folder <- filelib:wildcard(filename:join([code:lib_dir(), "*", "ebin"]))],
    [code:load_file(Module) || Folder <- code:get_path(), is_ours(Folder), Module <- modules(Folder),
                               not erlang:module_loaded(Module)],
    {ok, _} = application:ensure_all_started(sasl),
    {ok, _} = application:ensure_all_started(crypto),
    {ok, _} = application:ensure_all_started(runtime_tools),
    logger:set_primary_config(#{level => debug, metadata => #{beagle => 1}}),
    logger:remove_handler(default),
    [application:set_env(kernel, Key, 1) || Key <- [key, a, b, ok, undefined]],
    Others = [spawn(fun forever/0) || _ <- lists:seq(1, 20)],
    [catch register(Name, Pid) || {Name, Pid} <- lists:zip([key, a, b, hello], lists:sublist(Others, 4))],
    global:register_name(a, hd(Others)),
    global:register_name(key, lists:last(Others)),
    [ets:insert(ets:new(Name, [named_table, public]), {a, 1}) || Name <- [key, a, b, ok]],
    [persistent_term:put(Key, 1) || Key <- [key, a, b, ok]],
    {ok, _} = timer:apply_interval(1000000, erlang, is_atom, [a]),
    {ok, _} = supervisor:start_child(kernel_sup, #{id => beagle, start => {gen_event, start_link, [{local, beagle}]}}),
    ok.

is_ours(Folder) ->
    lists:any(fun(Name) -> string:find(Folder, Name) =/= nomatch end, ["kernel-", "stdlib-", "sasl-", "crypto-", "runtime_tools-", "compiler-", "debugger-", "elixir"]).

modules(Folder) ->
    [list_to_atom(filename:basename(File, ".beam")) || File <- filelib:wildcard(filename:join(Folder, "*.beam"))].

forever() ->
    receive never -> ok end.

%% The answer as a line of text. Identities count only by their kind, and whether they are that of the caller.
answer(Line, Surroundings) ->
    Parent = self(),
    Reference = make_ref(),
    Ask = fun() -> receive Reference -> Parent ! {Reference, evaluate(Line, Surroundings)} end end,
    Pid = started(Ask, [{max_heap_size, #{size => ?MOST_WORDS, error_logger => false}} | options(Surroundings)], Surroundings),
    Monitor = monitor(process, Pid),
    Pid ! Reference,
    Answer =
        receive
            {Reference, Said} -> Said;
            {'DOWN', Monitor, _, _, Reason} -> {"ended", normal(Reason)}
        after ?MOST_MILLISECONDS ->
            exit(Pid, kill),
            "undecided: time"
        end,
    demonitor(Monitor, [flush]),
    exit(Pid, kill),
    shortened(Answer).

%% A caller has ancestors if a supervisor has started it. With `+P 1024`, its pid is larger than those of processes that it
%% starts if its place among the processes was used more often than other places.
started(Ask, Options, plain) ->
    spawn_opt(Ask, Options);
started(Ask, Options, rich) ->
    [First | Others] = occupied([]),
    ended([First]),
    use_up(?LARGEST_NUMBER - ?PLACES),
    Pid = proc_lib:spawn_opt(Ask, Options),
    ended(Others),
    Pid.

%% The next pid has the largest number that its place gives.
use_up(Largest) ->
    Pid = spawn(fun forever/0),
    ended([Pid]),
    [_, Number, _] = string:lexemes(pid_to_list(Pid), "<.>"),
    case list_to_integer(Number) of
        Last when Last =< Largest, Last > Largest - ?PLACES -> ok;
        _ -> use_up(Largest)
    end.

occupied(Pids) ->
    case catch spawn(fun forever/0) of
        Pid when is_pid(Pid) -> occupied([Pid | Pids]);
        _ -> Pids
    end.

ended(Pids) ->
    Monitors = [monitor(process, Pid) || Pid <- Pids],
    [exit(Pid, kill) || Pid <- Pids],
    [receive {'DOWN', Monitor, _, _, _} -> ok end || Monitor <- Monitors].

options(plain) -> [];
options(rich) -> [{priority, high}, {min_heap_size, 20000}, {message_queue_data, off_heap}, {fullsweep_after, 3}].

%% What the calling process brings along.
bring(plain) ->
    ok;
bring(rich) ->
    process_flag(trap_exit, true),
    [put(Key, 1) || Key <- [key, a, b, ok, '$ancestors', '$initial_call', rand_seed]],
    erase(rand_seed),
    put('$ancestors', [kernel_sup]),
    put('$callers', [self()]),
    spawn_link(fun forever/0),
    monitor(process, spawn_link(fun forever/0)),
    self() ! {a, 1},
    self() ! ok,
    group_leader(spawn_link(fun devour/0), self()),
    ok.

%% A device that takes every text in Latin-1, as a file does.
devour() ->
    receive
        {io_request, From, As, {put_chars, Encoding, Text}} -> From ! {io_reply, As, taken(Text, Encoding)};
        {io_request, From, As, {put_chars, Encoding, Module, Function, Args}} ->
            From ! {io_reply, As, try apply(Module, Function, Args) of Text -> taken(Text, Encoding)
                                  catch _:_ -> {error, Function} end};
        {io_request, From, As, {setopts, _}} -> From ! {io_reply, As, ok};
        {io_request, From, As, getopts} -> From ! {io_reply, As, [{encoding, unicode}, {binary, true}]};
        {io_request, From, As, {get_geometry, _}} -> From ! {io_reply, As, 132};
        {io_request, From, As, _} -> From ! {io_reply, As, {error, enotsup}};
        _ -> ok
    end,
    devour().

taken(Text, Encoding) ->
    case catch unicode:characters_to_binary(Text, Encoding, latin1) of
        Bytes when is_binary(Bytes) -> ok;
        _ -> {error, put_chars}
    end.

%% No trace shows the end of a deep stack. What follows the call keeps it from being the last one, and entries of the same place
%% would be one.
evaluate(Line, rich) -> deeper(Line, 10);
evaluate(Line, plain) -> evaluate(Line, brought, bring(plain)).

deeper(Line, 0) -> evaluate(Line, brought, bring(rich));
deeper(Line, Depth) when Depth rem 2 =:= 0 -> Said = deeper(Line, Depth - 1), garbage_collect(), Said;
deeper(Line, Depth) -> Said = deeper(Line, Depth - 1), garbage_collect(), Said.

evaluate(Line, brought, ok) ->
    {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(Line) ++ "."),
    case erl_parse:parse_exprs(Tokens) of
        {ok, Expressions} ->
            try value(Expressions) of
                Value -> {"value", normal(Value)}
            catch
                Class:Reason -> {Class, normal(Reason)}
            end;
        {error, _} ->
            "undecided: no expression"
    end.

%% A program is called by the caller itself, not by the evaluator, whose own calls fill every trace.
value([{call, _, {remote, _, {atom, _, beagle_programs}, {atom, _, Program}}, Args}]) ->
    Values = [begin {value, Value, _} = erl_eval:expr(Arg, []), Value end || Arg <- Args],
    apply(beagle_programs, Program, Values);
value(Expressions) ->
    {value, Value, _} = erl_eval:exprs(Expressions, []),
    Value.

normal(Pid) when Pid =:= self() -> '<self>';
normal(Pid) when is_pid(Pid) -> '<pid>';
normal(Reference) when is_reference(Reference) -> '<reference>';
normal(Port) when is_port(Port) -> '<port>';
normal(Fun) when is_function(Fun) ->
    case erlang:fun_info(Fun, type) of
        {type, external} -> Fun;
        {type, local} -> '<fun>'
    end;
normal([Head | Tail]) -> [normal(Head) | normal(Tail)];
normal(Tuple) when is_tuple(Tuple) -> list_to_tuple(normal(tuple_to_list(Tuple)));
normal(Map) when is_map(Map) -> {'<map>', lists:sort([{normal(Key), normal(Value)} || {Key, Value} <- maps:to_list(Map)])};
normal(Other) -> Other.

shortened({How, What}) ->
    Text = lists:flatten(io_lib:format("~s ~w", [How, What])),
    case length(Text) > ?MOST_CHARACTERS of
        true -> [lists:sublist(Text, ?MOST_CHARACTERS), io_lib:format(" ~w", [erlang:md5(unicode:characters_to_binary(Text))])];
        false -> Text
    end;
shortened(Text) ->
    Text.
