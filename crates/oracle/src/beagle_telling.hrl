%% The helper on traces of the runtime itself: code whose events (beagle_trace.hrl) are told, with values, as they happen.
%%
%% Nested calls are told from tail calls by how much of the stack lies below the frame of the function that tells. How large
%% this frame is at a call is known to the compiler only. So events are compiled to assembler code first, and there each
%% gets that number as an argument more. Nothing else of the code changes, and its stack is that of the code itself.

%% What the runtime loads for the module of a BEAM file.
told_code_of_beam(Place) ->
    with_forms(Place, fun(Forms) ->
        Options = [to_asm, binary, return_errors, no_spawn_compiler_process],
        case compile:noenv_forms(traced(forgiving(Forms)), Options) of
            {ok, _, Assembler} -> code_of_assembler(Assembler, place_text(Place));
            Failure -> compile_failure(place_text(Place), Failure)
        end
    end).

code_of_assembler({Module, Exports, Attributes, Functions, Labels}, File) ->
    Told = [{function, Name, Arity, Entry, with_frames(Code, 0, #{})} || {function, Name, Arity, Entry, Code} <- Functions],
    Options = [from_asm, binary, return_errors, no_spawn_compiler_process],
    case compile:noenv_forms({Module, Exports, Attributes, Told, Labels}, Options) of
        {ok, _, Code} -> {ok, Code};
        Failure -> compile_failure(File, Failure)
    end.

%% Frame: the words of the frame where the code goes on; At: those at labels that the code before jumps to.
with_frames([{call_ext, 3, {extfunc, beagle_trace, event, 3}} | Code], Frame, At) ->
    [{move, {integer, Frame}, {x, 3}}, {call_ext, 4, {extfunc, beagle_trace, event, 4}} | with_frames(Code, Frame, At)];
with_frames([{call_ext_only, 3, {extfunc, beagle_trace, event, 3}} | Code], Frame, At) ->
    [{move, {integer, 0}, {x, 3}}, {call_ext_only, 4, {extfunc, beagle_trace, event, 4}} | with_frames(Code, Frame, At)];
with_frames([{call_ext_last, 3, {extfunc, beagle_trace, event, 3}, Size} | Code], Frame, At) ->
    [{move, {integer, 0}, {x, 3}}, {call_ext_last, 4, {extfunc, beagle_trace, event, 4}, Size}
     | with_frames(Code, Frame, At)];
with_frames([{label, Label} = Instruction | Code], Frame, At) ->
    [Instruction | with_frames(Code, maps:get(Label, At, Frame), At)];
with_frames([Instruction | Code], Frame, At) ->
    [Instruction | with_frames(Code, frame_behind(Instruction, Frame), jumps(Instruction, Frame, At))];
with_frames([], _, _) ->
    [].

%% The values of a frame, and the address to return to.
frame_behind({allocate, Size, _}, _) -> Size + 1;
frame_behind({allocate_zero, Size, _}, _) -> Size + 1;
frame_behind({allocate_heap, Size, _, _}, _) -> Size + 1;
frame_behind({allocate_heap_zero, Size, _, _}, _) -> Size + 1;
frame_behind({deallocate, _}, _) -> 0;
frame_behind({trim, Size, _}, Frame) -> Frame - Size;
frame_behind(_, Frame) -> Frame.

jumps({f, Label}, Frame, At) -> At#{Label => Frame};
jumps(Parts, Frame, At) when is_tuple(Parts) -> jumps(tuple_to_list(Parts), Frame, At);
jumps([Part | Parts], Frame, At) -> jumps(Parts, Frame, jumps(Part, Frame, At));
jumps(_, _, At) -> At.

%% Evaluates a text whose code tells what it does. The expression is compiled, so that nothing is told of its evaluation.
tell(Id, Text, Limits) ->
    put(process_count, erlang:system_info(process_count)),
    case loaded_expression(Text) of
        {ok, Module} ->
            Port = get(port),
            {Teller, Monitor} = spawn_monitor(fun() -> pass_on(Port, Id) end),
            _ = get(outside) =:= undefined orelse put(outside, new_outside()),
            put(process_count, erlang:system_info(process_count)),
            persistent_term:put(beagle_trace, Teller),
            {IsStopped, Answer} = evaluate({apply, Module, eval, []}, Limits),
            persistent_term:erase(beagle_trace),
            end_teller(Teller, Monitor),
            Changed = [encode(changed) || IsStopped orelse is_changed()],
            Outside = encode({outside, told_outside()}),
            flush(Id, 0, Changed ++ [Outside, Answer], 2 + length(Changed));
        {error, Message} ->
            flush(Id, 0, [encode({unreadable, Message})], 1)
    end.

loaded_expression(Text) ->
    case read_expressions(Text) of
        {ok, Expressions} ->
            Forms = [{attribute, 1, module, beagle_expression}, {attribute, 1, export, [{eval, 0}]},
                     {function, 1, eval, 0, [{clause, 1, [], [], Expressions}]}],
            case compile:noenv_forms(Forms, [binary, return_errors, no_spawn_compiler_process]) of
                {ok, Module, Code} ->
                    _ = code:purge(Module),
                    {module, Module} = code:load_binary(Module, "expression", Code),
                    {ok, Module};
                Failure ->
                    {compile_errors, [Line | _], _, _} = compile_failure("expression", Failure),
                    {error, Line}
            end;
        Error ->
            Error
    end.

%% Tells the other end of the pipe, one event after the other.
pass_on(Port, Id) ->
    receive
        {tell, Reference, From, Told} ->
            port_command(Port, [Id, <<1, 131>>, Told]),
            From ! {Reference, told},
            pass_on(Port, Id);
        finish ->
            ok
    end.

end_teller(Teller, Monitor) ->
    Teller ! finish,
    receive {'DOWN', Monitor, process, Teller, _} -> ok end.
