%% The helper on Core Erlang with something put into it. One walk goes through the code, and what is put there is a choice of
%%
%%   events    which clause was taken: at the beginning of clauses and handlers (beagle_events.hrl)
%%   conduct   questions to the conductor: around operations that other processes could notice (beagle_conduct.hrl)
%%
%% Patterns and guards stay as they are. The walk is deterministic, and what is compiled for the runtime and lowered for the
%% machine is the same Core.

with_added(Core, Added) ->
    Module = cerl:atom_val(cerl:module_name(Core)),
    case [Kind || Kind <- Added, takes(Kind, Module, Core)] of
        [] -> Core;
        Kinds -> with_kinds(Module, Core, Kinds)
    end.

takes(events, Module, Core) -> takes_events(Module, Core);
takes(conduct, Module, Core) -> takes_conduct(Module, Core).

with_kinds(Module, Core, Kinds) ->
    put(core_added, Kinds),
    put(core_variables, 0),
    begin_core_events(Module),
    Definitions = [{Name, with_added_in_function(Name, Fun)} || {Name, Fun} <- cerl:module_defs(Core)],
    Attributes = [{cerl:c_atom(beagle_events), cerl:abstract(end_core_events())} || lists:member(events, Kinds)],
    erase(core_added),
    cerl:update_c_module(Core, cerl:module_name(Core), cerl:module_exports(Core),
                         cerl:module_attrs(Core) ++ Attributes, Definitions).

has_added(Kind) ->
    lists:member(Kind, get(core_added)).

with_added_in_function(Name, Fun) ->
    put(event_function, {cerl:fname_id(Name), cerl:fname_arity(Name)}),
    with_added_in(Fun, line_of(Fun, 0)).

with_added_in(Node, Line0) ->
    Line = line_of(Node, Line0),
    case cerl:type(Node) of
        literal -> Node;
        var -> Node;
        'case' -> with_added_in_case(Node, Line);
        'try' -> with_added_in_try(Node, Line);
        %% The parts of a map are told without the map that is updated.
        map ->
            Pairs = [with_added_in(Pair, Line) || Pair <- cerl:map_es(Node)],
            cerl:update_c_map(Node, with_added_in(cerl:map_arg(Node), Line), Pairs);
        Type ->
            New = cerl:update_tree(Node, [[with_added_in(Part, Line) || Part <- Parts] || Parts <- cerl:subtrees(Node)]),
            case has_added(conduct) of
                true -> with_question(Type, New);
                false -> New
            end
    end.

with_added_in_case(Node, Line) ->
    Argument = with_added_in(cerl:case_arg(Node), Line),
    Clauses = cerl:case_clauses(Node),
    Choices = case has_added(events) of
                  true -> choices(Clauses);
                  false -> [none || _ <- Clauses]
              end,
    New = [with_added_in_clause(Clause, Choice, Line) || {Clause, Choice} <- lists:zip(Clauses, Choices)],
    cerl:update_c_case(Node, Argument, New).

with_added_in_clause(Clause, Choice, Line0) ->
    Line = line_of(Clause, Line0),
    Event = case Choice of
                none -> none;
                {Index, Count} -> new_event(clause, Index, Count, Line)
            end,
    Body = with_added_in(cerl:clause_body(Clause), Line),
    cerl:update_c_clause(Clause, cerl:clause_pats(Clause), cerl:clause_guard(Clause), behind_event(Event, Body)).

with_added_in_try(Node, Line) ->
    Argument = with_added_in(cerl:try_arg(Node), Line),
    Body = with_added_in(cerl:try_body(Node), Line),
    Event = case has_added(events) of
                true -> new_event(handler, 1, 1, Line);
                false -> none
            end,
    Handler = behind_event(Event, with_added_in(cerl:try_handler(Node), Line)),
    cerl:update_c_try(Node, Argument, cerl:try_vars(Node), Body, cerl:try_evars(Node), Handler).

%% --- What both need

is_named(Node, Name) ->
    cerl:is_c_atom(Node) andalso cerl:atom_val(Node) =:= Name.

new_core_variable() ->
    Number = put(core_variables, get(core_variables) + 1),
    cerl:c_var(list_to_atom("beagle@" ++ integer_to_list(Number))).

is_receive_name(Node) ->
    cerl:is_c_fname(Node) andalso lists:prefix("recv$^", atom_to_list(cerl:fname_id(Node))).

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
    case compile:noenv_forms(Core, [from_core, binary, return_errors, no_spawn_compiler_process]) of
        {ok, _, Code} -> {ok, Code};
        Failure -> compile_failure(Place, Failure)
    end.
