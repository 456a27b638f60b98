%% The helper on traces: calls of beagle_trace:event/3 that tell what a run does.
%%
%% The first argument of an event says what stands in the source (what kind of event, in which function and line, which
%% clause of how many, the names of variables), the second has values, and the third is what the call returns. Which calls
%% are nested, and which are tail calls, the machine tells by the depth of its stack: no event stands behind a tail call, so
%% that the stack of instrumented code is that of the code itself, but one before it says that it comes.

traced(Forms) ->
    case [Module || {attribute, _, module, Module} <- Forms] of
        [Module | _] ->
            put(trace_locals, [{Name, Arity} || {function, _, Name, Arity, _} <- Forms]),
            put(trace_file, ''),
            [traced_form(Form, Module) || Form <- Forms];
        [] -> Forms
    end.

traced_form({function, Anno, Name, Arity, Clauses} = Form, Module) ->
    case erl_anno:line(Anno) =:= 0 orelse lists:member(Name, ['__info__', '__struct__']) of
        true ->
            Form;
        false ->
            put(trace_variables, 0),
            {function, Anno, Name, Arity, traced_heads(call, Clauses, Anno, {Module, Name, Arity})}
    end;
%% What is inlined has no depth of its own.
traced_form({attribute, Anno, compile, Options}, _) ->
    {attribute, Anno, compile, without_inlining(options_in(Options))};
traced_form({attribute, _, file, {File, _}} = Form, _) ->
    put(trace_file, list_to_atom(File)),
    Form;
traced_form(Form, _) ->
    Form.

%% Clauses of a function. A last one tells that no other fits, and raises what the runtime would raise.
traced_heads(Kind, [{clause, _, Patterns, _, _} | _] = Clauses, Anno, Owner) ->
    Count = length(Clauses),
    Heads = [traced_head(Kind, Clause, {Number, Count}, Owner) || {Number, Clause} <- numbered(Clauses)],
    case takes_all(lists:last(Clauses)) of
        true ->
            Heads;
        false ->
            At = erl_anno:set_generated(true, Anno),
            Args = [trace_variable(At) || _ <- Patterns],
            None = case Kind of
                       call -> no_clause;
                       'fun' -> no_fun_clause
                   end,
            Event = trace_event(None, Anno, Owner, {0, Count}, Args, [], {atom, At, ok}),
            Raise = {call, Anno, {remote, Anno, {atom, Anno, erlang}, {atom, Anno, error}},
                     [{atom, Anno, function_clause}, trace_list(Args, Anno)]},
            Heads ++ [{clause, At, Args, [], [Event, Raise]}]
    end.

traced_head(Kind, {clause, Anno, Patterns, Guards, Body}, Place, Owner) ->
    {Seen, Named} = lists:unzip([trace_alias(Pattern) || Pattern <- Patterns]),
    Event = trace_event(Kind, Anno, Owner, Place, Seen, trace_names(Patterns), {atom, Anno, ok}),
    {clause, Anno, Named, Guards, told_body(Kind, Event, traced_body(Body, tail, Owner), Anno)}.

%% The compiler must not find out that a function never returns: it would make tail calls of all calls of it. So, as far as
%% it can see, the event decides whether the function returns at once.
told_body(call, Event, Body, Anno) ->
    At = erl_anno:set_generated(true, Anno),
    Other = trace_variable(At),
    [{'case', At, Event, [{clause, At, [{atom, At, ok}], [], Body}, {clause, At, [Other], [], [Other]}]}];
told_body('fun', Event, Body, _) ->
    [Event | Body].

takes_all({clause, _, Patterns, [], _}) ->
    Names = [Name || {var, _, Name} <- Patterns, Name =/= '_'],
    lists:all(fun(Pattern) -> element(1, Pattern) =:= var end, Patterns) andalso length(lists:usort(Names)) =:= length(Names);
takes_all(_) ->
    false.

%% Clauses of a case and its kin, each with the value that it is asked about.
traced_clauses(Kind, Clauses, Tail, Owner) ->
    Count = length(Clauses),
    [traced_clause(Kind, Clause, {Number, Count}, Tail, Owner) || {Number, Clause} <- numbered(Clauses)].

%% Where there are no clauses in the source, the place is that of the condition.
traced_tests(Clauses, At, Tail, Owner) ->
    [begin
         {Seen, Named} = trace_alias(Pattern),
         Event = trace_event(test, At, Owner, {0, 0}, [Seen], [], {atom, Anno, ok}),
         {clause, Anno, [Named], Guards, [Event | traced_body(Body, Tail, Owner)]}
     end || {clause, Anno, [Pattern], Guards, Body} <- Clauses].

%% What is always true is no condition.
plain_clause({clause, Anno, Patterns, Guards, Body}, Tail, Owner) ->
    {clause, Anno, Patterns, Guards, traced_body(Body, Tail, Owner)}.

%% Of an exception, the class and the reason are told; the pattern of its stack must stay a variable.
traced_clause('catch', {clause, Anno, [{tuple, At, [Class, Reason, Stack]}], Guards, Body}, Place, Tail, Owner) ->
    {SeenClass, NamedClass} = trace_alias(Class),
    {SeenReason, NamedReason} = trace_alias(Reason),
    Event = trace_event('catch', Anno, Owner, Place, [SeenClass, SeenReason], trace_names([Class, Reason]),
                        {atom, Anno, ok}),
    Pattern = {tuple, At, [NamedClass, NamedReason, Stack]},
    {clause, Anno, [Pattern], Guards, [Event | traced_body(Body, Tail, Owner)]};
traced_clause(Kind, {clause, Anno, Patterns, Guards, Body}, Place, Tail, Owner) ->
    {Seen, Named} = lists:unzip([trace_alias(Pattern) || Pattern <- Patterns]),
    Event = trace_event(Kind, Anno, Owner, Place, Seen, trace_names(Patterns), {atom, Anno, ok}),
    {clause, Anno, Named, Guards, [Event | traced_body(Body, Tail, Owner)]}.

traced_body([Last], Tail, Owner) ->
    [traced_expr(Last, Tail, Owner)];
traced_body([{match, Anno, Pattern, Expr} | Rest], Tail, Owner) ->
    Match = {match, Anno, Pattern, traced_expr(Expr, inner, Owner)},
    [Match | trace_bindings(bind, Pattern, Anno, Owner)] ++ traced_body(Rest, Tail, Owner);
traced_body([Expr | Rest], Tail, Owner) ->
    [traced_expr(Expr, inner, Owner) | traced_body(Rest, Tail, Owner)];
traced_body([], _, _) ->
    [].

traced_expr({'case', Anno, Expr, Clauses}, Tail, Owner) ->
    Told = case {is_trace_test(Clauses, Owner), Expr} of
               {true, {atom, _, _}} -> [plain_clause(Clause, Tail, Owner) || Clause <- Clauses];
               {true, _} -> traced_tests(Clauses, element(2, Expr), Tail, Owner);
               {false, _} -> traced_clauses('case', Clauses, Tail, Owner)
           end,
    {'case', Anno, traced_expr(Expr, inner, Owner), Told};
traced_expr({'receive', Anno, Clauses, Timeout, Body}, Tail, Owner) ->
    Event = trace_event('after', Anno, Owner, {0, length(Clauses)}, [], [], {atom, Anno, ok}),
    {'receive', Anno, traced_clauses('receive', Clauses, Tail, Owner), traced_expr(Timeout, inner, Owner),
     [Event | traced_body(Body, Tail, Owner)]};
traced_expr({'try', Anno, Body, Clauses, Handlers, []}, Tail, Owner) when Clauses =/= []; Tail =:= inner ->
    {'try', Anno, traced_body(Body, inner, Owner), traced_clauses('of', Clauses, Tail, Owner),
     traced_clauses('catch', Handlers, Tail, Owner), []};
traced_expr({call, Anno, Function, Args} = Call, Tail, Owner) ->
    Called = traced_called(Function, Owner),
    Made = {call, Anno, Called, traced_exprs(Args, Owner)},
    case {is_native(Call), Tail} of
        {true, inner} -> Made;
        {true, tail} -> trace_through(return, Anno, Owner, Made);
        {false, inner} -> trace_through(result, Anno, Owner, Made);
        {false, tail} -> trace_tail_call(Anno, Owner, Called, element(4, Made))
    end;
traced_expr(Expr, tail, Owner) when element(1, Expr) =/= 'if', element(1, Expr) =/= 'receive', element(1, Expr) =/= block ->
    trace_through(return, element(2, Expr), Owner, traced_expr(Expr, inner, Owner));
traced_expr({match, Anno, Pattern, Expr}, inner, Owner) ->
    Match = {match, Anno, Pattern, traced_expr(Expr, inner, Owner)},
    case trace_bindings(bind, Pattern, Anno, Owner) of
        [] ->
            Match;
        Event ->
            Value = trace_variable(Anno),
            {block, Anno, [{match, Anno, Value, Match} | Event] ++ [Value]}
    end;
traced_expr({op, Anno, '!', To, Message}, inner, Owner) ->
    {Receiver, Sent} = {trace_variable(Anno), trace_variable(Anno)},
    {block, Anno,
     [{match, Anno, Receiver, traced_expr(To, inner, Owner)}, {match, Anno, Sent, traced_expr(Message, inner, Owner)},
      trace_event(send, Anno, Owner, {0, 0}, [Receiver, Sent], [], {atom, Anno, ok}), {op, Anno, '!', Receiver, Sent}]};
%% In the place of a result, the last expressions of its parts are results as well.
traced_expr(Expr, Tail, Owner) ->
    with_parts(Expr, fun({expr, Part}) -> traced_expr(Part, inner, Owner);
                        ({body, Body}) -> traced_body(Body, Tail, Owner);
                        ({clauses, Kind, Clauses}) -> traced_clauses(Kind, Clauses, Tail, Owner);
                        ({heads, Anno, Clauses}) -> traced_heads('fun', Clauses, Anno, Owner);
                        ({template, Template}) -> traced_expr(Template, inner, Owner);
                        ({qualifiers, Qualifiers}) -> traced_qualifiers(Qualifiers, Owner)
                     end).

%% That a tail call follows is told when its parts are there, with the function if it has a name.
trace_tail_call(Anno, {Owner, _, _} = Place, Function, Args) ->
    {Called, Before, Name} =
        case Function of
            {remote, At, Module, Name0} ->
                {[NamedModule, NamedName], Bound} = trace_named([Module, Name0]),
                {{remote, At, NamedModule, NamedName}, Bound, [NamedModule, NamedName]};
            {atom, _, apply} ->
                {Function, [], []};
            {atom, At, _} ->
                {Function, [], [{atom, At, Owner}, Function]};
            _ ->
                {[Value], Bound} = trace_named([Function]),
                {Value, Bound, []}
        end,
    {Named, Bindings} = trace_named(Args),
    Event = trace_event(tail_call, Anno, Place, {length(Args), 0}, Name, [], {atom, Anno, ok}),
    {block, Anno, Before ++ Bindings ++ [Event, {call, Anno, Called, Named}]}.

%% Names for values that are computed, and the matches that bind them.
trace_named(Exprs) ->
    {Named, Bindings} = lists:unzip([case element(1, Expr) of
                                         Simple when Simple =:= var; Simple =:= atom; Simple =:= integer; Simple =:= nil ->
                                             {Expr, []};
                                         _ ->
                                             Variable = trace_variable(element(2, Expr)),
                                             {Variable, [{match, element(2, Expr), Variable, Expr}]}
                                     end || Expr <- Exprs]),
    {Named, lists:append(Bindings)}.

without_inlining(Options) ->
    [Option || Option <- Options, not lists:member(Option, [inline, inline_list_funcs]),
               not (is_tuple(Option) andalso element(1, Option) =:= inline)].

traced_exprs(Exprs, Owner) -> [traced_expr(Expr, inner, Owner) || Expr <- Exprs].

%% The compiler must not see which function is called: it would put its body here.
traced_called({'fun', Anno, _} = Function, Owner) ->
    trace_through(pass, Anno, Owner, traced_expr(Function, inner, Owner));
traced_called({named_fun, Anno, _, _} = Function, Owner) ->
    trace_through(pass, Anno, Owner, traced_expr(Function, inner, Owner));
traced_called({remote, Anno, Module, Name}, Owner) ->
    {remote, Anno, traced_expr(Module, inner, Owner), traced_expr(Name, inner, Owner)};
traced_called(Function, Owner) ->
    traced_expr(Function, inner, Owner).

%% A filter may be a guard, and must stay one.
traced_qualifiers(Qualifiers, Owner) ->
    lists:append([traced_qualifier(Qualifier, Owner) || Qualifier <- Qualifiers]).

traced_qualifier({Generator, Anno, Pattern, Expr}, Owner) when Generator =:= generate; Generator =:= b_generate;
                                                               Generator =:= m_generate ->
    Generated = {Generator, Anno, Pattern, traced_expr(Expr, inner, Owner)},
    case trace_bindings(generate, Pattern, Anno, Owner) of
        [] -> [Generated];
        Event -> [Generated, {block, Anno, Event ++ [{atom, Anno, true}]}]
    end;
traced_qualifier(Filter, Owner) ->
    case erl_lint:is_guard_test(Filter) of
        true -> [Filter];
        false -> [traced_expr(Filter, inner, Owner)]
    end.

%% Functions of the runtime itself, except those that call others. That the compiler knows what functions of `math` return shows
%% in stack traces.
is_native({call, _, {remote, _, {atom, _, math}, {atom, _, _}}, _}) ->
    true;
is_native({call, _, {remote, _, {atom, _, erlang}, {atom, _, Name}}, _}) ->
    not lists:member(Name, [apply, hibernate]);
is_native({call, _, {atom, _, apply}, _}) ->
    false;
is_native({call, _, {atom, _, Name}, Args}) ->
    Arity = length(Args),
    erl_internal:bif(Name, Arity) andalso not lists:member({Name, Arity}, get(trace_locals));
is_native(_) ->
    false.

%% What other languages have instead of clauses: two ways, by whether a value is true.
is_trace_test([{clause, _, [One], _, _}, {clause, _, [Other], _, _}], {Module, _, _}) ->
    case atom_to_list(Module) of
        "Elixir." ++ _ ->
            case {One, Other} of
                {{atom, _, true}, {atom, _, false}} -> true;
                {{atom, _, false}, {atom, _, true}} -> true;
                {{var, _, Name}, {var, _, '_'}} -> is_made_up(Name);
                _ -> false
            end;
        _ ->
            false
    end;
is_trace_test(_, _) ->
    false.

is_made_up(Name) ->
    case atom_to_list(Name) of
        "_@" ++ _ -> true;
        _ -> false
    end.

%% A variable that has the value of a pattern, and the pattern that binds it.
trace_alias({var, _, Name} = Variable) when Name =/= '_' ->
    {Variable, Variable};
trace_alias({var, Anno, '_'}) ->
    Variable = trace_variable(Anno),
    {Variable, Variable};
trace_alias(Pattern) ->
    Variable = trace_variable(element(2, Pattern)),
    {Variable, {match, element(2, Pattern), Variable, Pattern}}.

trace_variable(Anno) ->
    Number = put(trace_variables, get(trace_variables) + 1),
    {var, Anno, list_to_atom("beagle@" ++ integer_to_list(Number))}.

%% The variables of patterns that people would name, in the order in which they stand there.
trace_names(Patterns) ->
    lists:reverse(lists:foldl(fun trace_names/2, [], Patterns)).

trace_names({var, _, Name} = Variable, Names) ->
    Text = atom_to_list(Name),
    IsWanted = case {Text, lists:member($@, Text)} of
                   {"_@" ++ _, _} -> false;
                   {"__" ++ _, _} -> false;
                   {"_" ++ _, IsMangled} -> IsMangled;
                   _ -> true
               end,
    case IsWanted andalso not lists:keymember(Name, 3, Names) of
        true -> [Variable | Names];
        false -> Names
    end;
trace_names(Parts, Names) when is_list(Parts) ->
    lists:foldl(fun trace_names/2, Names, Parts);
trace_names(Pattern, Names) when is_tuple(Pattern), tuple_size(Pattern) > 2 ->
    lists:foldl(fun trace_names/2, Names, tl(tl(tuple_to_list(Pattern))));
trace_names(_, Names) ->
    Names.

trace_bindings(Kind, Pattern, Anno, Owner) ->
    case trace_names([Pattern]) of
        [] -> [];
        Variables -> [trace_event(Kind, Anno, Owner, {0, 0}, [], Variables, {atom, Anno, ok})]
    end.

trace_through(Kind, Anno, Owner, Expr) ->
    trace_event(Kind, Anno, Owner, {0, 0}, [], [], Expr).

trace_event(Kind, Anno, {Module, Name, Arity}, {Number, Count}, Seen, Variables, Result) ->
    Column = column_of(Anno),
    Names = [trace_name(atom_to_list(Variable), Module) || {var, _, Variable} <- Variables],
    Info = {Kind, Module, Name, Arity, get(trace_file), erl_anno:line(Anno), Column, Number, Count, length(Seen), Names},
    At = erl_anno:set_generated(true, Anno),
    {call, At, {remote, At, {atom, At, beagle_trace}, {atom, At, event}},
     [erl_parse:abstract(Info, erl_anno:line(At)), trace_list(Seen ++ Variables, At), Result]}.

%% A variable as it stands in the source: Elixir's compiler numbers them.
trace_name([$_ | Text] = Name, Module) ->
    case {atom_to_list(Module), string:split(Text, "@")} of
        {"Elixir." ++ _, [Plain, _]} -> list_to_atom(Plain);
        _ -> list_to_atom(Name)
    end;
trace_name(Name, _) ->
    list_to_atom(Name).

trace_list(Values, Anno) ->
    lists:foldr(fun(Value, Rest) -> {cons, Anno, Value, Rest} end, {nil, Anno}, Values).

numbered(Items) -> lists:zip(lists:seq(1, length(Items)), Items).
