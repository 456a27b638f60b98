%% The helper on abstract forms with something put into them. One walk knows what expressions are made of, and what is put
%% there is told by a function of the parts:
%%
%%   {expr, Expr}               a single expression
%%   {body, Exprs}              a sequence of expressions
%%   {clauses, Kind, Clauses}   clauses of `case`, `if`, `receive`, `of`, `catch` or `else`
%%   {heads, Anno, Clauses}     clauses of a function
%%   {template, Expr}           what a comprehension makes
%%   {qualifiers, Qualifiers}   its generators and filters
%%
%% beagle_marks.hrl and beagle_trace.hrl have such functions. Patterns and guards stay as they are.

with_parts({'case', Anno, Expr, Clauses}, Do) ->
    {'case', Anno, Do({expr, Expr}), Do({clauses, 'case', Clauses})};
with_parts({'if', Anno, Clauses}, Do) ->
    {'if', Anno, Do({clauses, 'if', Clauses})};
with_parts({'receive', Anno, Clauses}, Do) ->
    {'receive', Anno, Do({clauses, 'receive', Clauses})};
with_parts({'receive', Anno, Clauses, Timeout, Body}, Do) ->
    {'receive', Anno, Do({clauses, 'receive', Clauses}), Do({expr, Timeout}), Do({body, Body})};
with_parts({'try', Anno, Body, Clauses, Handlers, After}, Do) ->
    {'try', Anno, Do({body, Body}), Do({clauses, 'of', Clauses}), Do({clauses, 'catch', Handlers}), Do({body, After})};
with_parts({'fun', Anno, {clauses, Clauses}}, Do) ->
    {'fun', Anno, {clauses, Do({heads, Anno, Clauses})}};
with_parts({named_fun, Anno, Name, Clauses}, Do) ->
    {named_fun, Anno, Name, Do({heads, Anno, Clauses})};
with_parts({block, Anno, Body}, Do) ->
    {block, Anno, Do({body, Body})};
with_parts({'maybe', Anno, Body}, Do) ->
    {'maybe', Anno, Do({body, Body})};
with_parts({'maybe', Anno, Body, {'else', Else, Clauses}}, Do) ->
    {'maybe', Anno, Do({body, Body}), {'else', Else, Do({clauses, 'else', Clauses})}};
with_parts({Comprehension, Anno, Template, Qualifiers}, Do)
  when Comprehension =:= lc; Comprehension =:= bc; Comprehension =:= mc ->
    {Comprehension, Anno, Do({template, Template}), Do({qualifiers, Qualifiers})};
with_parts({Match, Anno, Pattern, Expr}, Do) when Match =:= match; Match =:= maybe_match ->
    {Match, Anno, Pattern, Do({expr, Expr})};
%% Literals, and what has no expression in it.
with_parts({Leaf, _, _} = Expr, _) when Leaf =:= atom; Leaf =:= integer; Leaf =:= float; Leaf =:= char;
                                        Leaf =:= string; Leaf =:= var ->
    Expr;
with_parts({bin_element, Anno, Value, Size, Types}, Do) ->
    {bin_element, Anno, Do({expr, Value}), Size, Types};
with_parts(Expr, Do) when is_tuple(Expr), tuple_size(Expr) > 2 ->
    [Tag, Anno | Parts] = tuple_to_list(Expr),
    list_to_tuple([Tag, Anno | [any_part(Part, Do) || Part <- Parts]]);
with_parts(Expr, _) ->
    Expr.

any_part(Parts, Do) when is_list(Parts) -> [any_part(Part, Do) || Part <- Parts];
any_part(Part, Do) when is_tuple(Part), is_atom(element(1, Part)) -> Do({expr, Part});
any_part(Part, _) -> Part.

%% The column of a place, or 0.
column_of(Anno) ->
    case erl_anno:column(Anno) of
        undefined -> 0;
        Known -> Known
    end.
