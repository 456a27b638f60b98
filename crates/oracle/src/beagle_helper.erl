%% The real runtime's end of the pipe: answers one request after the other.
%%
%% A packet is the 16 bytes that identify a request, then (in answers only) a byte that is 1 if more answers to the
%% same request follow, then a term. This text and those that it includes are put one behind the other
%% and compiled from memory: so they are plain ASCII, and use no macro.
%%
%% Whatever is asked for runs in a process of its own, which may crash, hang, print and fill its heap:
%% the server only waits, and ends it when its time is over.
-module(beagle_helper).
-export([start/1, start/2, parse_transform/2, format_error/1, with_expression/5]).
-include("beagle_code.hrl").
-include("beagle_evaluation.hrl").
-include("beagle_guard.hrl").
-include("beagle_processes.hrl").
-include("beagle_forms.hrl").
-include("beagle_marks.hrl").
-include("beagle_trace.hrl").
-include("beagle_core.hrl").
-include("beagle_events.hrl").
-include("beagle_conduct.hrl").
-include("visible.erl").
-include("beagle_tracing.hrl").
-include("beagle_telling.hrl").
-include("beagle_measured.hrl").

start(Port) ->
    start(Port, <<>>).

%% Code is this module's own object code if it has just been compiled: the other side keeps it.
start(Port, Code) ->
    Caller = self(),
    Server = spawn(fun() -> receive begin_now -> serve(Port) end end),
    Watcher = spawn(fun() -> watch(Port, Server, Caller) end),
    true = port_connect(Port, Watcher),
    true = unlink(Port),
    Watcher ! connected,
    receive {Watcher, watching} -> ok end,
    Hello = term_to_binary({hello, runtime_info(), Code}, [{minor_version, 2}]),
    true = port_command(Port, [<<0:128, 0>>, Hello]),
    Server ! begin_now,
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

serve(Port) ->
    process_flag(priority, high),
    %% The runtime reports a full heap to its logger: that is how it is told from any other kill.
    _ = erlang:system_flag(system_logger, self()),
    ok = logger:set_primary_config(level, none),
    put(port, Port),
    put(sink, new_sink()),
    put(guard, none),
    serve_loop().

serve_loop() ->
    receive
        {request, <<Id:16/binary, Request/binary>>} ->
            try binary_to_term(Request) of
                Term -> answer(Id, Term)
            catch
                error:badarg -> send(Id, 0, encode({failed, <<"the request holds no term of this runtime">>}))
            end;
        _ ->
            ok
    end,
    serve_loop().

answer(Id, {evaluate, Flush, TimeLimit, HeapLimit, Printed, Watch, Guard, Calls}) ->
    stand_guard(Guard),
    evaluate_all(Id, Calls, Flush, {TimeLimit, HeapLimit, Printed, Watch});
answer(Id, {trace, Most, TimeLimit, HeapLimit, Guard, Outside, Schedule, Call}) ->
    stand_guard(Guard),
    listen_outside(Outside),
    trace(Id, Call, Most, Schedule, {TimeLimit, HeapLimit});
answer(Id, {tell, TimeLimit, HeapLimit, Guard, Outside, Text}) ->
    stand_guard(Guard),
    listen_outside(Outside),
    tell(Id, Text, {TimeLimit, HeapLimit, false, none});
answer(Id, {limited, TimeLimit, Request}) ->
    send(Id, 0, limited(TimeLimit, fun() -> respond(Request) end)).

send(Id, More, Body) ->
    port_command(get(port), [Id, <<More, 131>>, Body]).

%% The encoding without its version byte, so that encodings can be put together.
encode(Term) ->
    <<131, Body/binary>> = term_to_binary(Term, [{minor_version, 2}]),
    Body.

limited(TimeLimit, Fun) ->
    Sink = get(sink),
    Tag = make_ref(),
    Work = fun() ->
                   group_leader(Sink, self()),
                   exit({Tag, encode(Fun())})
           end,
    {Pid, Monitor} = spawn_monitor(Work),
    receive
        {'DOWN', Monitor, process, Pid, {Tag, Body}} -> Body;
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

respond({settle, Folder, First, Last}) -> settle(Folder, First, Last);
respond({core_of_source, File, Options}) -> core_of_source(File, Options);
respond({core_of_beam, Place}) -> core_of_beam(Place);
respond({marked_core_of_beam, Place}) -> marked_core_of_beam(Place);
respond({traced_core_of_beam, Place}) -> traced_core_of_beam(Place);
respond({told_code_of_beam, Place}) -> told_code_of_beam(Place);
respond({marked_code_of_beam, Place}) -> marked_code_of_beam(Place);
respond({core_of_beam, Place, Added}) -> core_of_beam(Place, Added);
respond({code_of_beam, Place, Added}) -> code_of_beam(Place, Added);
respond({load_marked, File, Code}) -> load_marked(File, Code);
respond({locate, Module}) -> locate(Module);
respond({exports, Modules}) -> {ok, [{Module, exports(Module)} || Module <- Modules]};
respond(code_index) -> code_index();
respond({read_file, File}) -> read_file(File);
respond({object_code, File, Options}) -> object_code(File, Options);
respond({load_code, File, Code}) -> load_code(File, Code);
respond({configure, Applications}) -> configure(Applications);
respond({elixir_configuration, Files, Environment}) -> elixir_configuration(Files, Environment);
respond({implementation, Module, Function, Arity}) -> implementation(Module, Function, Arity).

%% The current folder is not searched for code: programs under test write files there.
settle(Folder, First, Last) ->
    _ = code:del_path("."),
    _ = file:set_cwd(text_in(Folder)),
    ok = code:add_pathsa([text_in(Path) || Path <- lists:reverse(First)]),
    ok = code:add_pathsz([text_in(Path) || Path <- Last]).

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

%% A function of re, with an expression that is compiled for it.
with_expression(Function, Args, Place, Pattern, Options) ->
    {ok, Compiled} = re:compile(Pattern, Options),
    {Before, [_ | After]} = lists:split(Place - 1, Args),
    apply(re, Function, Before ++ [Compiled | After]).

%% --- Text

%% With maps in the order of their keys: from OTP 26 on they iterate in the order in which atoms came to be.
printed(Term) ->
    Control = case list_to_integer(erlang:system_info(otp_release)) of
                  Release when Release >= 26 -> "~0tkp";
                  _ -> "~0tp"
              end,
    text(io_lib:format(Control, [Term])).

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
