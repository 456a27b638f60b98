%% The helper on marks: a call of beagle_mark:at/3 before each expression of a body, where cover has its counters.
%%
%% What a mark is given is its module, its line and its column. All marks that were set stand in an attribute of the
%% module: the compiler removes code that it knows to be dead, and its marks with it.

marked(Forms) ->
    case [Module || {attribute, _, module, Module} <- Forms] of
        [Module | _] ->
            erase(marks),
            put(marks, []),
            Marked = [marked_form(Form, Module) || Form <- Forms],
            with_attribute(Marked, {attribute, erl_anno:new(0), beagle_marks, lists:usort(erase(marks))});
        [] ->
            Forms
    end.

%% Behind the name of the module, where attributes may stand.
with_attribute([{attribute, _, module, _} = Module | Rest], Attribute) -> [Module, Attribute | Rest];
with_attribute([Form | Rest], Attribute) -> [Form | with_attribute(Rest, Attribute)].

marked_form({function, Anno, Name, Arity, Clauses}, Module) ->
    {function, Anno, Name, Arity, marked_clauses(Clauses, Module)};
marked_form(Form, _) ->
    Form.

marked_clauses(Clauses, Module) -> [marked_clause(Clause, Module) || Clause <- Clauses].

marked_clause({clause, Anno, Patterns, Guards, Body}, Module) ->
    {clause, Anno, Patterns, Guards, marked_body(Body, Module)}.

marked_body(Body, Module) ->
    lists:append([mark_before(Expr, Module) ++ [marked_expr(Expr, Module)] || Expr <- Body]).

marked_expr(Expr, Module) ->
    with_parts(Expr, fun({expr, Part}) -> marked_expr(Part, Module);
                        ({body, Body}) -> marked_body(Body, Module);
                        ({clauses, _, Clauses}) -> marked_clauses(Clauses, Module);
                        ({heads, _, Clauses}) -> marked_clauses(Clauses, Module);
                        ({template, Template}) -> marked_template(Template, Module);
                        ({qualifiers, Qualifiers}) -> marked_qualifiers(Qualifiers, Module)
                     end).

marked_template({map_field_assoc, _, _, _} = Pair, Module) ->
    marked_expr(Pair, Module);
marked_template(Template, Module) ->
    case mark_before(Template, Module) of
        [] -> marked_expr(Template, Module);
        _ -> {block, element(2, Template), marked_body([Template], Module)}
    end.

%% A filter may be a guard, and must stay one: its mark is a filter of its own, which lets everything pass.
marked_qualifiers(Qualifiers, Module) ->
    lists:append([marked_qualifier(Qualifier, Module) || Qualifier <- Qualifiers]).

marked_qualifier({Generator, Anno, Pattern, Expr}, Module) when Generator =:= generate; Generator =:= b_generate;
                                                                Generator =:= m_generate ->
    [{Generator, Anno, Pattern, marked_expr(Expr, Module)}];
marked_qualifier(Filter, Module) ->
    Anno = element(2, Filter),
    case mark_before(Filter, Module) of
        [] -> [Filter];
        Mark -> [{block, Anno, Mark ++ [{atom, Anno, true}]}, Filter]
    end.

%% Code that was made up has no place.
mark_before(Expr, Module) ->
    Anno = element(2, Expr),
    case erl_anno:line(Anno) of
        0 ->
            [];
        Line ->
            Column = column_of(Anno),
            put(marks, [{Line, Column} | get(marks)]),
            At = erl_anno:set_generated(false, Anno),
            [{call, At, {remote, At, {atom, At, beagle_mark}, {atom, At, at}},
              [{atom, At, Module}, {integer, At, Line}, {integer, At, Column}]}]
    end.
