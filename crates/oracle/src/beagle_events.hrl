%% The helper on events: Core Erlang in which every choice among clauses says which one was taken.
%%
%% An event is a call of beagle_event:at/1 at the beginning of a clause of `case` (which functions, `if` and receives have
%% become) and of the handler of an exception. It stands before the body and never behind it, so a tail call stays one, and
%% no stack trace shows it. A clause that is the only one is not chosen, and has no event; one that only raises what the
%% compiler raises where no clause fits needs none, because the exception shows it. Guards have no events. Which message of
%% a mailbox is looked at, and how often a process wakes up, is up to the schedule, so the loop of a receive has none
%% itself.
%%
%% The number of an event is unique in the program, as far as a hash of the module's name is. All events of a module stand
%% in an attribute: `{Number, Function, Arity, Line, Kind, Index, Count}`. The traversal is deterministic, and what is
%% compiled for the runtime and lowered for the machine is the same Core: so both emit the same numbers.

%% Modules that load native code stay as they are, and so does what the events themselves are made with.
instrumented(Core) ->
    Module = cerl:atom_val(cerl:module_name(Core)),
    case is_instrumentable(Module, Core) of
        true -> with_events(Module, Core);
        false -> Core
    end.

is_instrumentable(Module, Core) ->
    not lists:member(Module, [beagle_event, erlang, atomics, persistent_term, erts_internal])
        andalso not loads_native_code(Core).

loads_native_code(Core) ->
    IsLoad = fun(Node, Found) ->
                     Found orelse cerl:is_c_call(Node)
                         andalso is_named(cerl:call_module(Node), erlang)
                         andalso is_named(cerl:call_name(Node), load_nif)
             end,
    cerl_trees:fold(IsLoad, false, Core).

is_named(Node, Name) ->
    cerl:is_c_atom(Node) andalso cerl:atom_val(Node) =:= Name.

with_events(Module, Core) ->
    erase(events),
    put(events, []),
    put(event_base, erlang:phash2(Module, 1 bsl 26) bsl 20),
    Definitions = [{Name, with_events_in_function(Name, Fun)} || {Name, Fun} <- cerl:module_defs(Core)],
    Events = lists:reverse(erase(events)),
    erase(event_base),
    erase(event_function),
    Attribute = {cerl:c_atom(beagle_events), cerl:abstract(Events)},
    cerl:update_c_module(Core, cerl:module_name(Core), cerl:module_exports(Core),
                         cerl:module_attrs(Core) ++ [Attribute], Definitions).

with_events_in_function(Name, Fun) ->
    put(event_function, {cerl:fname_id(Name), cerl:fname_arity(Name)}),
    with_events_in(Fun, line_of(Fun, 0)).

with_events_in(Node, Line0) ->
    Line = line_of(Node, Line0),
    case cerl:type(Node) of
        literal -> Node;
        var -> Node;
        'case' -> with_events_in_case(Node, Line);
        'try' -> with_events_in_try(Node, Line);
        %% The parts of a map are told without the map that is updated.
        map ->
            Pairs = [with_events_in(Pair, Line) || Pair <- cerl:map_es(Node)],
            cerl:update_c_map(Node, with_events_in(cerl:map_arg(Node), Line), Pairs);
        _ -> cerl:update_tree(Node, [[with_events_in(Part, Line) || Part <- Parts] || Parts <- cerl:subtrees(Node)])
    end.

with_events_in_case(Node, Line) ->
    Clauses = cerl:case_clauses(Node),
    Chosen = [is_chosen(Clause) || Clause <- Clauses],
    HasChoice = length([yes || true <- Chosen]) > 1 orelse lists:any(fun is_passed_over/1, Clauses),
    Numbered = lists:zip3(Clauses, Chosen, lists:seq(1, length(Clauses))),
    Argument = with_events_in(cerl:case_arg(Node), Line),
    New = [with_events_in_clause(Clause, [{Index, length(Clauses)} || HasChoice andalso IsChosen], Line)
           || {Clause, IsChosen, Index} <- Numbered],
    cerl:update_c_case(Node, Argument, New).

with_events_in_clause(Clause, Chosen, Line0) ->
    Line = line_of(Clause, Line0),
    Event = [new_event(clause, Index, Count, Line) || {Index, Count} <- Chosen],
    Body = with_events_in(cerl:clause_body(Clause), Line),
    cerl:update_c_clause(Clause, cerl:clause_pats(Clause), cerl:clause_guard(Clause), behind_events(Event, Body)).

with_events_in_try(Node, Line) ->
    Argument = with_events_in(cerl:try_arg(Node), Line),
    Body = with_events_in(cerl:try_body(Node), Line),
    Event = new_event(handler, 1, 1, Line),
    Handler = behind_events([Event], with_events_in(cerl:try_handler(Node), Line)),
    cerl:update_c_try(Node, Argument, cerl:try_vars(Node), Body, cerl:try_evars(Node), Handler).

new_event(Kind, Index, Count, Line) ->
    Number = get(event_base) + length(get(events)) + 1,
    {Function, Arity} = get(event_function),
    put(events, [{Number, Function, Arity, Line, Kind, Index, Count} | get(events)]),
    cerl:c_call(cerl:c_atom(beagle_event), cerl:c_atom(at), [cerl:c_int(Number)]).

behind_events([], Body) ->
    Body;
behind_events([Event], Body) ->
    case is_primop_first(Body, [remove_message]) of
        true -> behind_message(Event, Body);
        false -> cerl:c_seq(Event, Body)
    end.

%% A message belongs to the mailbox until it is removed, and nothing may be called before.
behind_message(Event, Body) ->
    case cerl:type(Body) of
        seq ->
            cerl:update_c_seq(Body, cerl:seq_arg(Body), cerl:c_seq(Event, cerl:seq_body(Body)));
        'let' ->
            cerl:update_c_let(Body, cerl:let_vars(Body), cerl:let_arg(Body), cerl:c_seq(Event, cerl:let_body(Body)));
        primop ->
            Removed = cerl:c_var(beagle_removed),
            cerl:c_let([Removed], Body, cerl:c_seq(Event, Removed))
    end.

%% Whether a clause is one of the program's, and not the end of what the compiler made of it.
is_chosen(Clause) ->
    Body = cerl:clause_body(Clause),
    not is_failure(Clause, Body) andalso not is_receiving(Body).

is_failure(Clause, Body) ->
    case cerl:type(Body) of
        primop -> lists:member(cerl:atom_val(cerl:primop_name(Body)), [match_fail, raise]);
        call -> lists:member(compiler_generated, cerl:get_ann(Clause)) andalso is_named(cerl:call_name(Body), error);
        _ -> false
    end.

%% The loop over a mailbox: on to the next message, back to waiting, or once more from the beginning.
is_receiving(Body) ->
    is_primop_first(Body, [recv_next, recv_wait_timeout]) orelse is_repeated_receive(Body).

%% Beside this clause of a receive, a single one is a choice: a message was taken, or the time was over.
is_passed_over(Clause) ->
    Body = cerl:clause_body(Clause),
    is_primop_first(Body, [recv_next]) orelse is_repeated_receive(Body).

is_repeated_receive(Body) ->
    cerl:is_c_apply(Body) andalso cerl:apply_args(Body) =:= [] andalso is_receive_name(cerl:apply_op(Body)).

is_receive_name(Node) ->
    cerl:is_c_fname(Node) andalso lists:prefix("recv$^", atom_to_list(cerl:fname_id(Node))).

is_primop_first(Body, Names) ->
    First = case cerl:type(Body) of
                seq -> cerl:seq_arg(Body);
                'let' -> cerl:let_arg(Body);
                _ -> Body
            end,
    cerl:is_c_primop(First) andalso lists:member(cerl:atom_val(cerl:primop_name(First)), Names).

%% The line of a node, or that of what it stands in.
line_of(Node, Outer) ->
    case lists:flatmap(fun line_in/1, cerl:get_ann(Node)) of
        [Line | _] -> Line;
        [] -> Outer
    end.

line_in(Line) when is_integer(Line), Line > 0 -> [Line];
line_in({Line, Column}) when is_integer(Line), Line > 0, is_integer(Column) -> [Line];
line_in(_) -> [].

%% What the runtime loads for it.
code_of_core(Core, Place) ->
    Options = [from_core, binary, return_errors, no_spawn_compiler_process],
    case compile:noenv_forms(instrumented(Core), Options) of
        {ok, _, Code} -> {ok, Code};
        Failure -> compile_failure(Place, Failure)
    end.
