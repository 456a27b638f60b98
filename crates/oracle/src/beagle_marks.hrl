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

marked_expr({'case', Anno, Expr, Clauses}, Module) ->
    {'case', Anno, marked_expr(Expr, Module), marked_clauses(Clauses, Module)};
marked_expr({'if', Anno, Clauses}, Module) ->
    {'if', Anno, marked_clauses(Clauses, Module)};
marked_expr({'receive', Anno, Clauses}, Module) ->
    {'receive', Anno, marked_clauses(Clauses, Module)};
marked_expr({'receive', Anno, Clauses, Timeout, Body}, Module) ->
    {'receive', Anno, marked_clauses(Clauses, Module), marked_expr(Timeout, Module), marked_body(Body, Module)};
marked_expr({'try', Anno, Body, Clauses, Handlers, After}, Module) ->
    {'try', Anno, marked_body(Body, Module), marked_clauses(Clauses, Module), marked_clauses(Handlers, Module),
     marked_body(After, Module)};
marked_expr({'fun', Anno, {clauses, Clauses}}, Module) ->
    {'fun', Anno, {clauses, marked_clauses(Clauses, Module)}};
marked_expr({named_fun, Anno, Name, Clauses}, Module) ->
    {named_fun, Anno, Name, marked_clauses(Clauses, Module)};
marked_expr({block, Anno, Body}, Module) ->
    {block, Anno, marked_body(Body, Module)};
marked_expr({'maybe', Anno, Body}, Module) ->
    {'maybe', Anno, marked_body(Body, Module)};
marked_expr({'maybe', Anno, Body, {'else', Else, Clauses}}, Module) ->
    {'maybe', Anno, marked_body(Body, Module), {'else', Else, marked_clauses(Clauses, Module)}};
marked_expr({lc, Anno, Template, Qualifiers}, Module) ->
    {lc, Anno, marked_template(Template, Module), marked_qualifiers(Qualifiers, Module)};
marked_expr({bc, Anno, Template, Qualifiers}, Module) ->
    {bc, Anno, marked_template(Template, Module), marked_qualifiers(Qualifiers, Module)};
marked_expr({match, Anno, Pattern, Expr}, Module) ->
    {match, Anno, Pattern, marked_expr(Expr, Module)};
%% Literals, and what has no expression in it.
marked_expr({Leaf, _, _} = Expr, _) when Leaf =:= atom; Leaf =:= integer; Leaf =:= float; Leaf =:= char;
                                         Leaf =:= string; Leaf =:= var ->
    Expr;
marked_expr(Expr, Module) when is_tuple(Expr), tuple_size(Expr) > 2 ->
    [Tag, Anno | Parts] = tuple_to_list(Expr),
    list_to_tuple([Tag, Anno | [marked_part(Part, Module) || Part <- Parts]]);
marked_expr(Expr, _) ->
    Expr.

marked_part(Parts, Module) when is_list(Parts) -> [marked_part(Part, Module) || Part <- Parts];
marked_part(Part, Module) when is_tuple(Part), is_atom(element(1, Part)) -> marked_expr(Part, Module);
marked_part(Part, _) -> Part.

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
            Column = case erl_anno:column(Anno) of
                         undefined -> 0;
                         Known -> Known
                     end,
            put(marks, [{Line, Column} | get(marks)]),
            At = erl_anno:set_generated(false, Anno),
            [{call, At, {remote, At, {atom, At, beagle_mark}, {atom, At, at}},
              [{atom, At, Module}, {integer, At, Line}, {integer, At, Column}]}]
    end.
