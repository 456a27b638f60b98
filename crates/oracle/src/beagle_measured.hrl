%% The helper on comprehensions that build binaries: the runtime's compiler measures what they are made of.
%%
%% Behind Core, the compiler (beam_ssa_bc_size) computes the size of the whole binary before the first element, if every
%% element has the same: the product of the lengths of the lists and the size of an element. So what is no proper list
%% raises before anything is done, and the exception has the whole of it. Here the same is asked before the
%% comprehension begins. A filter, a pattern that may not match, and sizes that depend on elements cannot be measured.

measured(Core) ->
    cerl_trees:map(fun measured_node/1, Core).

measured_node(Node) ->
    case cerl:is_c_let(Node) andalso is_primop_first(cerl:let_arg(Node), [bs_init_writable]) of
        true -> measured_comprehension(Node, cerl:let_vars(Node), cerl:let_body(Node));
        false -> Node
    end.

measured_comprehension(Node, [Writable], Body) ->
    case generators(first_evaluated(Body), Writable, none) of
        {ok, [{length, _, _, _} | _] = Generators} -> lists:foldr(fun with_measure/2, Node, Generators);
        %% What is matched from the beginning is not measured.
        {ok, [{bit_size, _, _, _} | _]} -> Node;
        none -> Node
    end;
measured_comprehension(Node, _, _) ->
    Node.

first_evaluated(Node) ->
    case cerl:type(Node) of
        'let' -> first_evaluated(cerl:let_arg(Node));
        seq -> first_evaluated(cerl:seq_arg(Node));
        _ -> Node
    end.

%% What a comprehension goes through, the outer generators first, each with what measures it and the sizes that its elements are multiplied
%% with. Outer: the function of the outermost generator, whose free variables are known before it begins.
generators(Node, Written, Outer0) ->
    case cerl:type(Node) of
        letrec ->
            case {cerl:letrec_defs(Node), cerl:letrec_body(Node)} of
                {[{Name, Function}], Apply} ->
                    Outer = case Outer0 of
                                none -> Function;
                                _ -> Outer0
                            end,
                    case is_application(Apply, Name, 2) andalso cerl:apply_args(Apply) of
                        [Source, Last] -> generator(Source, is_same_variable(Last, Written), Name, Function, Outer);
                        _ -> none
                    end;
                _ ->
                    none
            end;
        _ ->
            none
    end.

generator(Source, true, Name, Function, Outer) ->
    case {cerl:fun_vars(Function), cerl:type(cerl:fun_body(Function))} of
        {[_, Written], 'case'} ->
            [First | Others] = cerl:case_clauses(cerl:fun_body(Function)),
            case {is_known(Source, Outer) andalso measure_of(First), bad_generator_of(Others)} of
                {Measure, [Error]} when is_atom(Measure), Measure =/= false ->
                    case element_size(cerl:clause_body(First), Name, Written, Outer) of
                        {ok, Sizes, Inner} -> {ok, [{Measure, Source, Sizes, cerl:get_ann(Error)} | Inner]};
                        none -> none
                    end;
                _ ->
                    none
            end;
        _ ->
            none
    end;
generator(_, false, _, _, _) ->
    none.

%% What measures a generator that takes any element, and goes on with the rest.
measure_of(Clause) ->
    [Pattern | _] = cerl:clause_pats(Clause),
    case is_true(cerl:clause_guard(Clause)) andalso cerl:type(Pattern) of
        cons -> cerl:is_c_var(cerl:cons_hd(Pattern)) andalso cerl:is_c_var(cerl:cons_tl(Pattern)) andalso length;
        binary -> lists:all(fun is_fixed/1, lists:droplast(cerl:binary_segments(Pattern))) andalso bit_size;
        _ -> false
    end.

is_fixed(Segment) ->
    cerl:is_c_var(cerl:bitstr_val(Segment)) andalso cerl:is_c_int(cerl:bitstr_size(Segment)).

is_true(Guard) -> cerl:is_literal(Guard) andalso cerl:concrete(Guard) =:= true.

bad_generator_of(Clauses) ->
    [Call || Clause <- Clauses, Call <- [cerl:clause_body(Clause)], cerl:is_c_call(Call),
             is_named(cerl:call_name(Call), error)].

%% Sizes of what is written for an element, and the generators inside, if the element leads to nothing but the next one.
element_size(Body, Name, Written, Outer) ->
    case cerl:type(Body) of
        seq ->
            element_size(cerl:seq_body(Body), Name, Written, Outer);
        'let' ->
            Rest = cerl:let_body(Body),
            case cerl:let_vars(Body) of
                [Variable] ->
                    case is_application(Rest, Name, 2) andalso is_same_variable(lists:last(cerl:apply_args(Rest)), Variable) of
                        true -> written_size(cerl:let_arg(Body), Written, Outer);
                        false -> element_size(Rest, Name, Written, Outer)
                    end;
                _ ->
                    element_size(Rest, Name, Written, Outer)
            end;
        _ ->
            none
    end.

written_size(Node, Written, Outer) ->
    case cerl:type(Node) of
        binary ->
            [First | Segments] = cerl:binary_segments(Node),
            Sizes = [segment_size(Segment, Outer) || Segment <- Segments],
            case is_same_variable(cerl:bitstr_val(First), Written) andalso not lists:member(none, Sizes) of
                true -> {ok, lists:append(Sizes), []};
                false -> none
            end;
        letrec ->
            case generators(Node, Written, Outer) of
                {ok, Inner} -> {ok, [], Inner};
                none -> none
            end;
        _ ->
            none
    end.

%% The variables of a size that does not depend on the element.
segment_size(Segment, Outer) ->
    Size = cerl:bitstr_size(Segment),
    IsText = lists:member(cerl:concrete(cerl:bitstr_type(Segment)), [utf8, utf16, utf32]),
    case {IsText, cerl:is_c_int(Size), cerl:is_c_var(Size) andalso is_known(Size, Outer)} of
        {false, true, _} -> [];
        {false, _, true} -> [Size];
        _ -> none
    end.

is_known(Node, Outer) ->
    cerl:is_literal(Node)
        orelse cerl:is_c_var(Node) andalso not cerl:is_c_fname(Node)
            andalso (lists:member(cerl:var_name(Node), cerl_trees:free_variables(Outer))
                     orelse not lists:member(cerl:var_name(Node), cerl_trees:variables(Outer))).

is_application(Node, Name, Arity) ->
    cerl:is_c_apply(Node) andalso cerl:apply_arity(Node) =:= Arity andalso is_same_variable(cerl:apply_op(Node), Name).

is_same_variable(One, Other) ->
    cerl:is_c_var(One) andalso cerl:is_c_var(Other) andalso cerl:var_name(One) =:= cerl:var_name(Other).

with_measure({Measure, Source, Sizes, Anno}, Node) ->
    Whole = cerl:c_var(beagle_generator),
    Length = cerl:c_var(beagle_length),
    Erlang = fun(Name, Arguments) -> cerl:c_call(cerl:c_atom(erlang), cerl:c_atom(Name), Arguments) end,
    IsMeasured = lists:foldl(fun(Size, Others) ->
                                     IsInteger = cerl:c_var(beagle_integer),
                                     cerl:c_let([IsInteger], Erlang(is_integer, [Size]),
                                                cerl:c_case(IsInteger, [cerl:c_clause([cerl:c_atom(true)], Others),
                                                                       cerl:c_clause([cerl:c_var(beagle_other)],
                                                                                     cerl:c_atom(false))]))
                             end, Erlang('>=', [Length, cerl:c_int(0)]), Sizes),
    [Result, Class, Reason] = [cerl:c_var(Name) || Name <- [beagle_result, beagle_class, beagle_reason]],
    Guard = cerl:c_try(cerl:c_let([Length], Erlang(Measure, [Whole]), IsMeasured), [Result], Result, [Class, Reason],
                       cerl:c_atom(false)),
    Raise = cerl:ann_c_call(Anno, cerl:c_atom(erlang), cerl:c_atom(error),
                            [cerl:c_tuple([cerl:c_atom(bad_generator), Whole])]),
    cerl:c_case(Source, [cerl:c_clause([Whole], Guard, Node),
                         cerl:ann_c_clause([compiler_generated], [Whole], cerl:c_atom(true), Raise)]).
