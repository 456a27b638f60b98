#!/usr/bin/env escript
%% For each module: its Core from the debug information of its beam, as the external term format.
main([Out | Modules]) ->
    lists:foreach(fun(Name) -> dump(list_to_atom(Name), Out) end, Modules).

dump(Module, Out) ->
    File = code:which(Module),
    {ok, {Module, [{debug_info, {debug_info_v1, Backend, Data}}]}} = beam_lib:chunks(File, [debug_info]),
    {ok, Forms} = Backend:debug_info(erlang_v1, Module, Data, []),
    {ok, Module, Core} = compile:noenv_forms(Forms, [to_core, binary]),
    Bytes = term_to_binary(Core, [{minor_version, 2}]),
    ok = file:write_file(filename:join(Out, atom_to_list(Module) ++ ".etf"), Bytes).
