%% A calculator: text to tokens, tokens to a tree, the tree to its value.
-module(calc).
-export([evaluate/1]).

-type tree() :: integer() | {'+' | '-' | '*' | '/', tree(), tree()}.

-spec evaluate(string()) -> integer() | {error, division_by_zero | {unexpected, term()}}.
evaluate(Text) ->
    try sum(tokens(Text)) of
        {Tree, []} -> value(Tree);
        {_, [Token | _]} -> {error, {unexpected, Token}}
    catch
        throw:Reason -> {error, Reason}
    end.

tokens([$\s | Rest]) -> tokens(Rest);
tokens([C | _] = Text) when C >= $0, C =< $9 ->
    {Number, Rest} = string:to_integer(Text),
    [Number | tokens(Rest)];
tokens([C | Rest]) when C =:= $+; C =:= $-; C =:= $*; C =:= $/; C =:= $(; C =:= $) ->
    [list_to_atom([C]) | tokens(Rest)];
tokens([C | _]) -> throw({unexpected, [C]});
tokens([]) -> [].

sum(Tokens) ->
    {Left, Rest} = product(Tokens),
    operands(fun product/1, ['+', '-'], Left, Rest).

product(Tokens) ->
    {Left, Rest} = factor(Tokens),
    operands(fun factor/1, ['*', '/'], Left, Rest).

operands(Next, Operators, Left, [Operator | Tokens] = All) ->
    case lists:member(Operator, Operators) of
        true ->
            {Right, Rest} = Next(Tokens),
            operands(Next, Operators, {Operator, Left, Right}, Rest);
        false -> {Left, All}
    end;
operands(_, _, Left, []) -> {Left, []}.

factor([Number | Rest]) when is_integer(Number) -> {Number, Rest};
factor(['(' | Tokens]) ->
    case sum(Tokens) of
        {Tree, [')' | Rest]} -> {Tree, Rest};
        {_, Rest} -> throw({unexpected, Rest})
    end;
factor(Tokens) -> throw({unexpected, Tokens}).

-spec value(tree()) -> integer().
value({'+', A, B}) -> value(A) + value(B);
value({'-', A, B}) -> value(A) - value(B);
value({'*', A, B}) -> value(A) * value(B);
value({'/', A, B}) ->
    case value(B) of
        0 -> error(division_by_zero);
        Divisor -> value(A) div Divisor
    end;
value(Number) -> Number.
