%% The real runtime's end of the pipe: answers one request after the other.
%%
%% A packet is an 8-byte request number, then (in answers only) a byte that is 1 if more answers to the
%% same request follow, then a term. No macro and no include is used, so that this text can be compiled
%% from memory; it is plain ASCII for the same reason.
%%
%% Whatever is asked for runs in a process of its own, which may crash, hang, print and fill its heap:
%% the server only waits, and ends it when its time is over.
-module(beagle_helper).
-export([start/1, start/2, parse_transform/2]).

start(Port) ->
    start(Port, <<>>).

%% Code is this module's own object code if it has just been compiled: the other side keeps it.
start(Port, Code) ->
    Caller = self(),
    Server = spawn(fun() -> receive {begin_with, Watcher} -> serve(Port, Watcher) end end),
    Watcher = spawn(fun() -> watch(Port, Server, Caller) end),
    true = port_connect(Port, Watcher),
    true = unlink(Port),
    Watcher ! connected,
    receive {Watcher, watching} -> ok end,
    Hello = term_to_binary({hello, runtime_info(), Code}, [{minor_version, 2}]),
    true = port_command(Port, [<<0:64, 0>>, Hello]),
    Server ! {begin_with, Watcher},
    ok.

%% The pipe's end is the end of the runtime, even while the server is busy.
watch(Port, Server, Caller) ->
    process_flag(trap_exit, true),
    process_flag(priority, high),
    receive connected -> ok end,
    true = link(Port),
    true = link(Server),
    Caller ! {self(), watching},
    watch_loop(Port, Server).

watch_loop(Port, Server) ->
    receive
        {Port, {data, Packet}} ->
            Server ! {request, Packet},
            watch_loop(Port, Server);
        {'EXIT', _, _} ->
            halt(0, [{flush, false}])
    end.

serve(Port, _Watcher) ->
    %% The runtime reports a full heap to its logger: that is how it is told from any other kill.
    _ = erlang:system_flag(system_logger, self()),
    ok = logger:set_primary_config(level, none),
    put(port, Port),
    put(sink, new_sink()),
    serve_loop().

serve_loop() ->
    receive
        {request, <<Id:64, Request/binary>>} ->
            try binary_to_term(Request) of
                Term -> answer(Id, Term)
            catch
                error:badarg -> send(Id, 0, encode({failed, <<"the request holds no term of this runtime">>}))
            end;
        _ ->
            ok
    end,
    serve_loop().

answer(Id, {evaluate, Flush, TimeLimit, HeapLimit, Printed, Calls}) ->
    evaluate_all(Id, Calls, Flush, {TimeLimit, HeapLimit, Printed});
answer(Id, {limited, TimeLimit, Request}) ->
    send(Id, 0, limited(TimeLimit, fun() -> respond(Request) end)).

send(Id, More, Body) ->
    port_command(get(port), [<<Id:64, More, 131>>, Body]).

%% The encoding without its version byte, so that encodings can be put together.
encode(Term) ->
    <<131, Body/binary>> = term_to_binary(Term, [{minor_version, 2}]),
    Body.

limited(TimeLimit, Fun) ->
    Sink = get(sink),
    Work = fun() ->
                   group_leader(Sink, self()),
                   exit({answer, encode(Fun())})
           end,
    {Pid, Monitor} = spawn_monitor(Work),
    receive
        {'DOWN', Monitor, process, Pid, {answer, Body}} -> Body;
        {'DOWN', Monitor, process, Pid, Reason} -> encode({failed, printed(Reason)})
    after TimeLimit ->
        end_process(Pid, Monitor),
        encode(timeout)
    end.

end_process(Pid, Monitor) ->
    exit(Pid, kill),
    receive {'DOWN', Monitor, process, Pid, _} -> ok end,
    %% It may have left the sink with something endless to print.
    exit(get(sink), kill),
    put(sink, new_sink()).

%% --- Requests that are answered once

respond({core_of_source, File, Options}) -> core_of_source(File, Options);
respond({core_of_beam, Place}) -> core_of_beam(Place);
respond({locate, Module}) -> locate(Module);
respond(code_index) -> code_index();
respond({read_file, File}) -> read_file(File);
respond({load_source, File, Options}) -> load_source(File, Options);
respond({load_beam, File}) -> load_beam(File);
respond({implementation, Module, Function, Arity}) -> implementation(Module, Function, Arity).

runtime_info() ->
    Compilers = [compile, epp, erl_scan, erl_parse, erl_lint, erl_expand_records, v3_core, sys_core_fold,
                 sys_core_alias, sys_core_inline, cerl],
    Digests = [digest(Module) || Module <- Compilers],
    #{release => text(erlang:system_info(otp_release)),
      erts => text(erlang:system_info(version)),
      root => text(code:root_dir()),
      system => text(erlang:system_info(system_version)),
      compilers => erlang:md5(term_to_binary(Digests))}.

digest(Module) ->
    case code:which(Module) of
        File when is_list(File) ->
            case beam_lib:md5(File) of
                {ok, {_, Digest}} -> {Module, Digest};
                _ -> {Module, unknown}
            end;
        Other ->
            {Module, Other}
    end.

%% --- Core Erlang

core_of_source(File, Options) ->
    case compile_options(Options) of
        {ok, Opts} ->
            Passes = [to_core, binary, return_errors, no_spawn_compiler_process, {parse_transform, beagle_helper}],
            erase(seen_forms),
            case compile:noenv_file(text_in(File), Passes ++ Opts) of
                {ok, Module, Core} ->
                    {Main, Files} = get(seen_forms),
                    {ok, #{module => Module, core => trim(Core, Main), files => Files,
                           transforms => [{T, beam_file(T)} || T <- transforms(text_in(File), Files, Opts)]}};
                Failure ->
                    compile_failure(File, Failure)
            end;
        {error, Text} ->
            {bad_option, Text}
    end.

compile_failure(File, {error, Errors, _}) ->
    Missing = [M || {_, Infos} <- Errors, {_, _, {undef_parse_transform, M}} <- Infos],
    {compile_errors, [text(L) || {F, Infos} <- Errors, Info <- Infos, L <- [error_line(F, Info)]], Missing,
     [text(File)]};
compile_failure(File, error) ->
    {compile_errors, [text(io_lib:format("~ts: the compiler gave up without a reason", [File]))], [], [text(File)]}.

error_line(File, {Location, Module, Description}) ->
    Place = case Location of
                {Line, Column} -> io_lib:format("~ts:~w:~w", [File, Line, Column]);
                Line when is_integer(Line) -> io_lib:format("~ts:~w", [File, Line]);
                _ -> File
            end,
    Message = try Module:format_error(Description) catch _:_ -> io_lib:format("~tp", [Description]) end,
    io_lib:format("~ts: ~ts", [Place, Message]).

compile_options(Texts) ->
    try {ok, [compile_option(T) || T <- Texts]}
    catch throw:{bad_option, Text} -> {error, Text}
    end.

compile_option({include, Path}) -> {i, text_in(Path)};
compile_option({define, Name}) -> {d, binary_to_atom(Name, utf8)};
compile_option({define, Name, Value}) -> {d, binary_to_atom(Name, utf8), parse_term(Value)};
compile_option({option, Value}) -> parse_term(Value).

parse_term(Text) ->
    case erl_scan:string(text_in(Text) ++ ".") of
        {ok, Tokens, _} ->
            case erl_parse:parse_term(Tokens) of
                {ok, Term} -> Term;
                _ -> throw({bad_option, Text})
            end;
        _ ->
            throw({bad_option, Text})
    end.

%% Changes next to nothing: it is where the compiler shows which files were used.
parse_transform(Forms, _Options) ->
    Files = lists:usort([text(filename:absname(F)) || {attribute, _, file, {F, _}} <- Forms]),
    put(seen_forms, {main_file(Forms), Files}),
    forgiving(Forms).

%% The compiler takes the attributes that name transforms away before anyone sees them. So the source is
%% read once more, if the word is in it or in a file that it includes.
transforms(File, Files, Options) ->
    InForms = case lists:any(fun speaks_of_transforms/1, Files) of
                  true -> options_in_file(File, Options);
                  false -> []
              end,
    lists:usort([T || {K, T} <- Options ++ InForms, K =:= parse_transform orelse K =:= core_transform]).

speaks_of_transforms(File) ->
    case file:read_file(File) of
        {ok, Text} -> binary:match(Text, [<<"parse_transform">>, <<"core_transform">>]) =/= nomatch;
        {error, _} -> false
    end.

options_in_file(File, Options) ->
    Includes = [".", filename:dirname(File) | [I || {i, I} <- Options]],
    Macros = [M || {d, M} <- Options] ++ [{M, V} || {d, M, V} <- Options],
    {ok, Forms} = epp:parse_file(File, [{includes, Includes}, {macros, Macros}]),
    [O || {attribute, _, compile, C} <- Forms, O <- options_in(C)].

options_in(Option) when is_list(Option) -> Option;
options_in(Option) -> [Option].

main_file(Forms) ->
    case [F || {attribute, _, file, {F, _}} <- Forms] of
        [Main | _] -> Main;
        [] -> none
    end.

%% Warnings are not looked at here, so they must not be errors.
forgiving(Forms) ->
    [case Form of
         {attribute, A, compile, Options} ->
             {attribute, A, compile, [O || O <- options_in(Options), O =/= warnings_as_errors]};
         _ ->
             Form
     end || Form <- Forms].

core_of_beam(Place) ->
    case beam_code(Place) of
        {ok, Beam} -> core_of_code(Place, Beam);
        Failure -> Failure
    end.

beam_code(Module) when is_atom(Module) ->
    case beam_file(Module) of
        none -> no_module;
        File -> beam_code(File)
    end;
beam_code(File) ->
    case read_file(File) of
        {ok, Beam} -> {ok, Beam};
        {error, Reason} -> {bad_beam, Reason}
    end.

core_of_code(Place, Beam) ->
    case beam_lib:chunks(Beam, [debug_info]) of
        {ok, {Module, [{debug_info, {debug_info_v1, Backend, Data}}]}} ->
            core_of_debug_info(Place, Module, Backend, Data);
        {ok, {_, [{debug_info, no_debug_info}]}} ->
            {no_debug_info, <<"it was compiled without debug_info">>};
        {error, beam_lib, {missing_chunk, _, _}} ->
            {no_debug_info, <<"it was stripped, or compiled by a very old compiler">>};
        {error, beam_lib, {key_missing_or_invalid, _, _}} ->
            {no_debug_info, <<"its debug_info is encrypted">>};
        {error, beam_lib, Reason} ->
            {bad_beam, text(beam_lib:format_error(Reason))}
    end.

core_of_debug_info(Place, Module, Backend, Data) ->
    case code:ensure_loaded(Backend) of
        {module, _} ->
            case Backend:debug_info(erlang_v1, Module, Data, []) of
                {ok, Forms} -> core_of_forms(Place, Forms);
                {error, Reason} -> {no_debug_info, debug_info_error(Reason)}
            end;
        {error, _} ->
            Reason = "it is readable only by the module ~ts, which is not in the code path",
            {no_debug_info, text(io_lib:format(Reason, [Backend]))}
    end.

debug_info_error(missing) -> <<"it was compiled without debug_info">>;
debug_info_error(Reason) -> printed(Reason).

core_of_forms(Place, Forms) ->
    case compile:noenv_forms(forgiving(Forms), [to_core, binary, return_errors, no_spawn_compiler_process]) of
        {ok, Module, Core} ->
            {ok, #{module => Module, core => trim(Core, main_file(Forms)), files => [], transforms => []}};
        Failure ->
            compile_failure(place_text(Place), Failure)
    end.

place_text(Module) when is_atom(Module) -> atom_to_list(Module);
place_text(File) -> text_in(File).

%% Most of a Core term is annotations, and most of those are the name of one and the same file. The
%% module's annotation keeps that name, a node's only if it is another. Nodes that cannot fail have no
%% need of a place at all.
trim(Core, Main) ->
    setelement(2, node_of(Core, Main), [{file, Main} || Main =/= none]).

node_of({c_literal, Anno, Value}, Main) ->
    {c_literal, annotations(c_literal, Anno, Main), Value};
node_of({c_opaque, Anno, Value}, Main) ->
    {c_opaque, annotations(c_opaque, Anno, Main), Value};
node_of({c_var, Anno, Name}, Main) ->
    {c_var, annotations(c_var, Anno, Main), Name};
node_of(Node, Main) when is_tuple(Node) ->
    [Tag, Anno | Parts] = tuple_to_list(Node),
    list_to_tuple([Tag, annotations(Tag, Anno, Main) | [part_of(P, Main) || P <- Parts]]).

part_of(Parts, Main) when is_list(Parts) -> [part_of(P, Main) || P <- Parts];
part_of({A, B}, Main) -> {node_of(A, Main), node_of(B, Main)};
part_of(Node, Main) when is_tuple(Node) -> node_of(Node, Main);
part_of(Atomic, _Main) -> Atomic.

annotations(_, [], _) ->
    [];
annotations(Tag, Anno, Main) ->
    Placeless = is_placeless(Tag),
    [A || A <- Anno, is_needed(A, Placeless, Main)].

is_placeless(c_var) -> true;
is_placeless(c_literal) -> true;
is_placeless(c_tuple) -> true;
is_placeless(c_cons) -> true;
is_placeless(c_values) -> true;
is_placeless(c_alias) -> true;
is_placeless(c_map_pair) -> true;
is_placeless(_) -> false.

is_needed({file, File}, Placeless, Main) -> not Placeless andalso File =/= Main;
is_needed(Line, Placeless, _) when is_integer(Line) -> not Placeless;
is_needed({Line, Column}, Placeless, _) when is_integer(Line), is_integer(Column) -> not Placeless;
is_needed(dialyzer_ignore, _, _) -> false;
is_needed(v3_core, _, _) -> false;
is_needed(no_inline, _, _) -> false;
is_needed(single_use, _, _) -> false;
is_needed(result_not_wanted, _, _) -> false;
is_needed(_, _, _) -> true.

%% --- Where code is

locate(Module) ->
    case beam_file(Module) of
        none -> no_module;
        File -> {ok, File}
    end.

%% Also of modules that are loaded from elsewhere (preloaded, compiled for coverage).
beam_file(Module) ->
    case code:which(Module) of
        [_ | _] = File ->
            text(filename:absname(File));
        non_existing ->
            none;
        _ ->
            Name = atom_to_list(Module) ++ ".beam",
            case code:where_is_file(Name) of
                File when is_list(File) -> text(filename:absname(File));
                non_existing -> preloaded_file(Name)
            end
    end.

preloaded_file(Name) ->
    Files = [filename:join(Dir, Name) || Dir <- runtime_dirs()],
    case [F || F <- Files, filelib:is_regular(F)] of
        [File | _] -> text(File);
        [] -> none
    end.

runtime_dirs() ->
    Version = "erts-" ++ erlang:system_info(version),
    [filename:join([Base, Version, "ebin"]) || Base <- [code:lib_dir(), code:root_dir()]].

%% Folders in the order of the code path, each with its modules.
code_index() ->
    Folders = [filename:absname(Dir) || Dir <- code:get_path(), Dir =/= "."] ++ runtime_dirs(),
    {ok, [{text(Dir), modules_in(Dir)} || Dir <- Folders]}.

modules_in(Dir) ->
    case erl_prim_loader:list_dir(Dir) of
        {ok, Names} -> [text(filename:rootname(N)) || N <- lists:sort(Names), filename:extension(N) =:= ".beam"];
        error -> []
    end.

%% Also from inside an archive.
read_file(File) ->
    case erl_prim_loader:get_file(text_in(File)) of
        {ok, Bytes, _} -> {ok, Bytes};
        error -> {error, <<"it cannot be read">>}
    end.

implementation(Module, Function, Arity) ->
    case code:ensure_loaded(Module) of
        {module, _} ->
            Nifs = try Module:module_info(nifs) catch error:_ -> [] end,
            case {erlang:is_builtin(Module, Function, Arity), lists:member({Function, Arity}, Nifs),
                  erlang:function_exported(Module, Function, Arity)} of
                {true, _, _} -> {ok, bif};
                {_, true, _} -> {ok, nif};
                {_, _, true} -> {ok, code};
                _ -> {ok, none}
            end;
        {error, _} ->
            no_module
    end.

%% --- Loading code to be evaluated

load_source(File, Options) ->
    case compile_options(Options) of
        {ok, Opts} ->
            Flags = [binary, return_errors, debug_info, no_spawn_compiler_process],
            case compile:noenv_file(text_in(File), Flags ++ Opts) of
                {ok, Module, Code} -> load(Module, File, Code);
                Failure -> compile_failure(File, Failure)
            end;
        {error, Text} ->
            {bad_option, Text}
    end.

load_beam(File) ->
    case beam_code(File) of
        {ok, Code} ->
            case beam_lib:info(Code) of
                {error, _, Reason} -> {bad_beam, text(beam_lib:format_error(Reason))};
                Info -> load(proplists:get_value(module, Info), File, Code)
            end;
        Failure ->
            Failure
    end.

load(Module, File, Code) ->
    _ = code:purge(Module),
    case code:load_binary(Module, text_in(File), Code) of
        {module, Module} -> {ok, Module};
        {error, Reason} -> {bad_beam, printed(Reason)}
    end.

%% --- Evaluation

%% Answers are sent after every Flush calls, and not much later than they are known.
evaluate_all(Id, Calls, Flush, Limits) ->
    put(process_count, erlang:system_info(process_count)),
    evaluate_all(Id, Calls, Flush, Limits, [], 0, now_ms()).

evaluate_all(Id, [], _, _, Done, Count, _) ->
    flush(Id, 0, Done, Count);
evaluate_all(Id, [Call | Calls], Flush, Limits, Done0, Count0, Since) ->
    Done = [evaluate(Call, Limits) | Done0],
    Count = Count0 + 1,
    Now = now_ms(),
    case Calls =/= [] andalso (Count >= Flush orelse Now - Since > 100) of
        true ->
            flush(Id, 1, Done, Count),
            evaluate_all(Id, Calls, Flush, Limits, [], 0, Now);
        false ->
            evaluate_all(Id, Calls, Flush, Limits, Done, Count, Since)
    end.

now_ms() ->
    erlang:monotonic_time(millisecond).

%% An encoded list of encoded answers.
flush(Id, More, _, 0) ->
    send(Id, More, <<106>>);
flush(Id, More, Done, Count) ->
    send(Id, More, [<<108, Count:32>>, lists:reverse(Done), 106]).

evaluate(Call, {TimeLimit, HeapLimit, Printed}) ->
    Sink = get(sink),
    Heap = #{size => HeapLimit, kill => true, error_logger => true},
    Work = fun() ->
                   group_leader(Sink, self()),
                   exit({answer, outcome(Call, Printed)})
           end,
    {Pid, Monitor} = spawn_opt(Work, [monitor, {max_heap_size, Heap}]),
    Answer = receive
                 {'DOWN', Monitor, process, Pid, {answer, Body}} -> Body;
                 {'DOWN', Monitor, process, Pid, killed} -> encode(why_killed(Pid));
                 {'DOWN', Monitor, process, Pid, Reason} -> encode({killed, Reason})
             after TimeLimit ->
                 end_process(Pid, Monitor),
                 encode(timeout)
             end,
    end_leftovers(),
    Answer.

why_killed(Pid) ->
    receive
        {log, _, Format, Arguments, _} ->
            case is_list(Arguments) andalso lists:member(Pid, Arguments)
                andalso string:find(Format, "maximum heap size") =/= nomatch of
                true -> heap_exceeded;
                false -> why_killed(Pid)
            end
    after 50 ->
        {killed, killed}
    end.

%% Processes that the call has started and left behind print to the sink, too: so they are known.
end_leftovers() ->
    case erlang:system_info(process_count) > get(process_count) of
        true ->
            Sink = get(sink),
            Left = [P || P <- processes(), process_info(P, group_leader) =:= {group_leader, Sink}],
            _ = [exit(P, kill) || P <- Left, P =/= self()],
            put(process_count, erlang:system_info(process_count));
        false ->
            ok
    end.

outcome(Call, Printed) ->
    try run(Call) of
        {unreadable, Text} -> encode({unreadable, Text});
        {value, Value} when Printed -> encode({value, Value, printed(Value)});
        {value, Value} -> encode({value, Value})
    catch
        Class:Reason:Trace when Printed -> encode({raised, Class, Reason, own_frames(Call, Trace), printed(Reason)});
        Class:Reason:Trace -> encode({raised, Class, Reason, own_frames(Call, Trace)})
    end.

run({apply, Module, Function, Arguments}) ->
    {value, apply(Module, Function, Arguments)};
run({text, Text, Home}) ->
    case read_expressions(Text) of
        {ok, Expressions} ->
            {value, Value, _} = erl_eval:exprs(Expressions, erl_eval:new_bindings(), local_calls(Home)),
            {value, Value};
        {error, Message} ->
            {unreadable, Message}
    end.

read_expressions(Text) ->
    case erl_scan:string(unicode:characters_to_list([Text, "\n."])) of
        {ok, Tokens, _} ->
            case erl_parse:parse_exprs(Tokens) of
                {ok, Expressions} -> {ok, Expressions};
                {error, Info} -> {error, text(error_line("expression", Info))}
            end;
        {error, Info, _} ->
            {error, text(error_line("expression", Info))}
    end.

local_calls(none) -> none;
local_calls(Home) -> {value, fun(Name, Arguments) -> apply(Home, Name, Arguments) end}.

%% The frames below the call are those of this module, and of the evaluator that it used.
own_frames(Call, Trace) ->
    Below = case Call of
                {apply, _, _, _} -> [beagle_helper];
                {text, _, _} -> [beagle_helper, erl_eval]
            end,
    IsBelow = fun(Frame) -> lists:member(element(1, Frame), Below) end,
    lists:reverse(lists:dropwhile(IsBelow, lists:reverse(Trace))).

%% --- Output of evaluated code: formatted, as faults in formats must show, and forgotten

new_sink() ->
    spawn(fun sink/0).

sink() ->
    receive
        {io_request, From, Tag, Request} ->
            From ! {io_reply, Tag, output(Request)};
        _ ->
            ok
    end,
    sink().

output({put_chars, Characters}) -> swallow(latin1, Characters);
output({put_chars, Encoding, Characters}) -> swallow(Encoding, Characters);
output({put_chars, M, F, A}) -> output({put_chars, latin1, M, F, A});
output({put_chars, Encoding, M, F, A}) ->
    try apply(M, F, A) of
        Characters -> swallow(Encoding, Characters)
    catch
        _:_ -> {error, F}
    end;
output({requests, Requests}) ->
    lists:foldl(fun(Request, ok) -> output(Request); (_, Failed) -> Failed end, ok, Requests);
output({setopts, _}) -> ok;
output(getopts) -> [{binary, false}, {encoding, unicode}];
output({get_geometry, _}) -> {error, enotsup};
output({get_chars, _, _}) -> eof;
output({get_chars, _, _, _}) -> eof;
output({get_line, _}) -> eof;
output({get_line, _, _}) -> eof;
output({get_until, _, _, _, _}) -> eof;
output({get_until, _, _, _, _, _}) -> eof;
output(_) -> {error, request}.

swallow(Encoding, Characters) ->
    try unicode:characters_to_binary(Characters, Encoding) of
        Bytes when is_binary(Bytes) -> ok;
        _ -> {error, put_chars}
    catch
        _:_ -> {error, put_chars}
    end.

%% --- Text

printed(Term) ->
    text(io_lib:format("~0tp", [Term])).

text(Characters) ->
    case unicode:characters_to_binary(Characters) of
        Bytes when is_binary(Bytes) -> Bytes;
        _ -> iolist_to_binary(io_lib:format("~w", [Characters]))
    end.

text_in(Bytes) when is_binary(Bytes) ->
    case unicode:characters_to_list(Bytes) of
        Characters when is_list(Characters) -> Characters;
        _ -> binary_to_list(Bytes)
    end;
text_in(Characters) ->
    Characters.
