%% The helper on code: Core Erlang of modules, where modules are, loading them.

core_of_source(File, Options) ->
    case compile_options(Options) of
        {ok, Opts} ->
            erase(seen_forms),
            case compile_carefully(text_in(File), [to_core], Opts) of
                {ok, Module, Core} ->
                    {Main, Files} = get(seen_forms),
                    {ok, #{module => Module, core => trim(with_added(Core, added(Opts)), Main), files => Files,
                           transforms => [{T, beam_file(T)} || T <- transforms(text_in(File), Files, Opts)]}};
                Failure ->
                    compile_failure(File, Failure)
            end;
        {error, Text} ->
            {bad_option, Text}
    end.

%% Where there is no sandbox, code of the project must not run while it is compiled: only transforms of OTP itself may.
compile_carefully(File, Passes, Opts) ->
    IsCareful = lists:member(beagle_careful, Opts),
    Foreign = [T || IsCareful, T <- transforms(File, [File | headers(File, Opts)], Opts), not is_of_otp(T)],
    case Foreign of
        [] ->
            compile_source(File, Passes, lists:delete(beagle_careful, Opts));
        [Transform | _] ->
            {error, [{File, [{none, beagle_helper, {foreign_transform, Transform}}]}], []}
    end.

%% The files that a source is made of. One that cannot be read is the compiler's to complain of.
headers(File, Opts) ->
    case forms_of_file(File, Opts) of
        {ok, Forms} -> [F || {attribute, _, file, {F, _}} <- Forms];
        {error, _} -> []
    end.

is_of_otp(Module) ->
    case code:which(Module) of
        [_ | _] = File -> lists:prefix(filename:absname(code:root_dir()) ++ "/", filename:absname(File));
        _ -> false
    end.

format_error({foreign_transform, Transform}) ->
    Words = "it uses the transform ~ts, which is code of the project, and there is no sandbox on this system: "
            "--confirm trusting runs it without one",
    io_lib:format(Words, [Transform]).

%% Marks and traces come behind all transforms, some of which read the code that they are given literally.
compile_source(File, Passes, Opts) ->
    Flags = [binary, return_errors, no_spawn_compiler_process],
    Seen = {parse_transform, beagle_helper},
    case instrumentation(Opts) of
        none ->
            compile:noenv_file(File, Passes ++ Flags ++ [Seen | Opts]);
        Instrument ->
            case compile:noenv_file(File, [to_pp, Seen] ++ Flags ++ Opts) of
                {ok, _, Forms} ->
                    Kept = case lists:member(beagle_trace, Opts) of
                               true -> without_inlining(Opts);
                               false -> Opts
                           end,
                    Others = [Opt || Opt <- Kept, not is_transform(Opt)],
                    compile:noenv_forms(Instrument(Forms), Passes ++ Flags ++ [{source, File} | Others]);
                Failure ->
                    Failure
            end
    end.

instrumentation(Opts) ->
    Known = [{beagle_marks, fun marked/1}, {beagle_trace, fun traced/1}],
    case [Instrument || {Option, Instrument} <- Known, lists:member(Option, Opts)] of
        [Instrument | _] -> Instrument;
        [] -> none
    end.

%% What is put into Core comes behind all that the compiler does to it.
added(Opts) ->
    lists:append([Kinds || {beagle_core, Kinds, _} <- Opts]).

is_transform({parse_transform, _}) -> true;
is_transform(_) -> false.

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
    case forms_of_file(File, Options) of
        {ok, Forms} -> [O || {attribute, _, compile, C} <- Forms, O <- options_in(C)];
        {error, _} -> []
    end.

forms_of_file(File, Options) ->
    Includes = [".", filename:dirname(File) | [I || {i, I} <- Options]],
    Macros = [M || {d, M} <- Options] ++ [{M, V} || {d, M, V} <- Options],
    epp:parse_file(File, [{includes, Includes}, {macros, Macros}]).

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
    with_forms(Place, fun(Forms) -> core_of_forms(Place, Forms) end).

%% Likewise with marks.
marked_core_of_beam(Place) ->
    with_forms(Place, fun(Forms) -> core_of_forms(Place, marked(Forms)) end).

%% Likewise with events.
traced_core_of_beam(Place) ->
    with_forms(Place, fun(Forms) -> core_of_forms(Place, traced(Forms)) end).

%% What the runtime loads for it.
marked_code_of_beam(Place) ->
    with_forms(Place, fun(Forms) -> code_of_forms(Place, marked(Forms)) end).

code_of_forms(Place, Forms) ->
    case compile:noenv_forms(forgiving(Forms), [binary, return_errors, no_spawn_compiler_process]) of
        {ok, _, Code} -> {ok, Code};
        Failure -> compile_failure(place_text(Place), Failure)
    end.

%% With something put into it, and what the runtime loads for that: no code if it stays as it is.
core_of_beam(Place, Added) ->
    with_forms(Place, fun(Forms) ->
        case core_of(Place, Forms) of
            {ok, Module, Core} ->
                Trimmed = trim(with_added(Core, Added), main_file(Forms)),
                {ok, #{module => Module, core => Trimmed, files => [], transforms => []}};
            Failure -> Failure
        end
    end).

code_of_beam(Place, Added) ->
    with_forms(Place, fun(Forms) ->
        case core_of(Place, Forms) of
            {ok, _, Core} ->
                case with_added(Core, Added) of
                    Core -> {ok, <<>>};
                    New -> code_of_core(New, place_text(Place))
                end;
            Failure -> Failure
        end
    end).

with_forms(Place, Do) ->
    case beam_code(Place) of
        {ok, Beam} -> forms_of_code(Beam, Do);
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

forms_of_code(Beam, Do) ->
    case beam_lib:chunks(Beam, [debug_info]) of
        {ok, {Module, [{debug_info, {debug_info_v1, Backend, Data}}]}} ->
            forms_of_debug_info(Module, Backend, Data, Do);
        {ok, {_, [{debug_info, no_debug_info}]}} ->
            {no_debug_info, <<"it was compiled without debug_info">>};
        {error, beam_lib, {missing_chunk, _, _}} ->
            {no_debug_info, <<"it was stripped, or compiled by a very old compiler">>};
        {error, beam_lib, {key_missing_or_invalid, _, _}} ->
            {no_debug_info, <<"its debug_info is encrypted">>};
        {error, beam_lib, Reason} ->
            {bad_beam, beam_error(Reason)}
    end.

%% Of what is no file it says all bytes before it says what is wrong with them.
beam_error(Reason) ->
    Short = case Reason of
        _ when is_tuple(Reason), is_binary(element(2, Reason)) -> setelement(2, Reason, here);
        _ -> Reason
    end,
    case string:trim(text(beam_lib:format_error(Short))) of
        <<"here: ", Why/binary>> -> Why;
        Why -> Why
    end.

forms_of_debug_info(Module, Backend, Data, Do) ->
    case code:ensure_loaded(Backend) of
        {module, _} ->
            case Backend:debug_info(erlang_v1, Module, Data, []) of
                {ok, Forms} -> Do(Forms);
                {error, Reason} -> {no_debug_info, debug_info_error(Reason)}
            end;
        {error, _} ->
            Reason = "it is readable only by the module ~ts, which is not in the code path",
            {no_backend, text(io_lib:format(Reason, [Backend]))}
    end.

debug_info_error(missing) -> <<"it was compiled without debug_info">>;
debug_info_error(Reason) -> printed(Reason).

core_of_forms(Place, Forms) ->
    case core_of(Place, Forms) of
        {ok, Module, Core} ->
            {ok, #{module => Module, core => trim(Core, main_file(Forms)), files => [], transforms => []}};
        Failure ->
            Failure
    end.

core_of(Place, Forms) ->
    case compile:noenv_forms(forgiving(Forms), [to_core, binary, return_errors, no_spawn_compiler_process]) of
        {ok, Module, Core} -> {ok, Module, Core};
        Failure -> compile_failure(place_text(Place), Failure)
    end.

place_text(Module) when is_atom(Module) -> atom_to_list(Module);
place_text(File) -> text_in(File).

%% Most of a Core term is annotations, and most of those are the name of one and the same file. The
%% module's annotation keeps that name, a node's only if it is another. Nodes that cannot fail have no
%% need of a place at all.
trim(Core, Main) ->
    setelement(2, node_of(measured(Core), Main), [{file, Main} || Main =/= none]).

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

exports(Module) ->
    case code:ensure_loaded(Module) of
        {module, _} -> Module:module_info(exports);
        {error, _} -> []
    end.

%% --- Loading code to be evaluated

object_code(File, Options) ->
    case compile_options(Options) of
        {ok, Opts} ->
            Added = added(Opts),
            IsTold = lists:keymember(beagle_told, 1, Opts),
            Passes = if
                         IsTold -> [to_asm];
                         Added =/= [] -> [to_core];
                         true -> [debug_info]
                     end,
            case compile_carefully(text_in(File), Passes, Opts) of
                {ok, _, Assembler} when IsTold -> code_of_assembler(Assembler, File);
                {ok, _, Core} when Added =/= [] -> code_of_core(with_added(Core, Added), File);
                {ok, _, Code} -> {ok, Code};
                Failure -> compile_failure(File, Failure)
            end;
        {error, Text} ->
            {bad_option, Text}
    end.

load_code(File, Code) ->
    case beam_lib:info(Code) of
        {error, _, Reason} -> {bad_beam, beam_error(Reason)};
        Info -> load(proplists:get_value(module, Info), File, Code)
    end.

%% Also in the place of a module of OTP itself.
load_marked(File, Code) ->
    Module = proplists:get_value(module, beam_lib:info(Code)),
    _ = code:unstick_mod(Module),
    replace(Module, File, Code).

load(Module, File, Code) ->
    case code:is_sticky(Module) of
        true -> resident(Module, Code);
        false -> replace(Module, File, Code)
    end.

%% A module of OTP itself stays as it is: it is what the file holds, or it cannot be loaded.
resident(Module, Code) ->
    case beam_lib:md5(Code) of
        {ok, {Module, Digest}} ->
            case Module:module_info(md5) of
                Digest -> {ok, Module};
                _ -> {bad_beam, <<"the runtime keeps its own module of that name">>}
            end;
        _ -> {bad_beam, <<"it has no digest">>}
    end.

replace(Module, File, Code) ->
    _ = code:purge(Module),
    case code:load_binary(Module, text_in(File), Code) of
        {module, Module} -> {ok, Module};
        {error, Reason} -> {bad_beam, printed(Reason)}
    end.

%% --- Configuration

%% Applications are loaded, but not started.
configure(Applications) ->
    _ = [configure(Name, Keys, Environment) || {Name, Keys, Environment} <- Applications],
    ok.

configure(Name, Keys, Environment) ->
    _ = Keys =/= none andalso application:load({application, Name, Keys}),
    _ = [application:set_env(Name, Key, Value) || {Key, Value} <- Environment],
    ok.

%% Values that cannot be sent, or mean nothing elsewhere, are left out.
elixir_configuration(Files, Environment) ->
    {ok, _} = application:ensure_all_started(elixir),
    _ = (catch start_mix(Environment)),
    Read = fun(File, Before) ->
                   Options = [{env, Environment}, {target, host}],
                   Told = 'Elixir.Config.Reader':'read!'(unicode:characters_to_binary(text_in(File)), Options),
                   'Elixir.Config.Reader':merge(Before, Told)
           end,
    try lists:foldl(Read, [], Files) of
        All -> {ok, [{Name, [Pair || {_, Value} = Pair <- Pairs, is_data(Value)]} || {Name, Pairs} <- All]}
    catch
        Class:Reason:Trace ->
            {error, unicode:characters_to_binary('Elixir.Exception':format_banner(Class, Reason, Trace))}
    end.

%% Configurations may ask `Mix.env()`.
start_mix(Environment) ->
    {ok, _} = application:ensure_all_started(mix),
    'Elixir.Mix':env(Environment).

is_data(Term) when is_list(Term) -> is_data_list(Term);
is_data(Term) when is_tuple(Term) -> is_data_list(tuple_to_list(Term));
is_data(Term) when is_map(Term) -> is_data_list(maps:to_list(Term));
is_data(Term) when is_function(Term) -> erlang:fun_info(Term, type) =:= {type, external};
is_data(Term) -> not (is_pid(Term) orelse is_reference(Term) orelse is_port(Term)).

is_data_list([First | Rest]) -> is_data(First) andalso is_data_list(Rest);
is_data_list([]) -> true;
is_data_list(Tail) -> is_data(Tail).
