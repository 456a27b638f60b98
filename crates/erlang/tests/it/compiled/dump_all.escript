#!/usr/bin/env escript
%% The Core of every module of some applications, with the names of the module's local functions:
%% {Core, [{Name, Arity}]} in the external term format, one file per module.
-mode(compile).
main([Out | Directories]) ->
    code:add_pathsa(Directories),
    Beams = lists:append([filelib:wildcard(filename:join(Dir, "*.beam")) || Dir <- Directories]),
    lists:foreach(fun(Beam) -> dump(Beam, Out) end, Beams).

dump(Beam, Out) ->
    {ok, {Module, Chunks}} = beam_lib:chunks(Beam, [debug_info, locals]),
    [{debug_info, {debug_info_v1, Backend, Data}}, {locals, Locals}] = Chunks,
    {ok, Forms} = Backend:debug_info(erlang_v1, Module, Data, []),
    %% What changes the code, not where it goes.
    Options = [Option || {_, Given} <- [Data], is_list(Given), Option <- Given, inlines(Option)],
    {ok, Module, Core} = compile:noenv_forms(Forms, [to_core, binary, nowarn_deprecated_function | Options]),
    Bytes = term_to_binary({Core, Locals}, [{minor_version, 2}]),
    ok = file:write_file(filename:join(Out, atom_to_list(Module) ++ ".etf"), Bytes).

inlines(inline) -> true;
inlines(inline_list_funcs) -> true;
inlines({inline, _}) -> true;
inlines({inline_size, _}) -> true;
inlines(_) -> false.
