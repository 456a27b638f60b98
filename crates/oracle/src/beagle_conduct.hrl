%% The helper on forced schedules: in Core Erlang, every operation that other processes could notice asks beagle_conductor
%% before it happens, and says when it has happened. What is asked for is named by its function (kind_of_operation/3 has the
%% list). Where the function is known only when it is called, the question is whether there is anything to ask for.
%%
%% Processes are started by way of the conductor's module, so that they say when they begin and ask before they end. A
%% receive that may give up asks before it begins: whether a message is there by then depends on the order.

takes_conduct(Module, _) ->
    Module =/= beagle_conductor.

%% The question that belongs to a node whose parts have theirs.
with_question(call, Node) ->
    Args = cerl:call_args(Node),
    case {known_atom(cerl:call_module(Node)), known_atom(cerl:call_name(Node))} of
        {{ok, erlang}, {ok, apply}} -> with_question_in_apply(Node, Args);
        {{ok, Module}, {ok, Name}} -> with_question_in_call(kind_of_operation(Module, Name, length(Args)), Module, Name, Node);
        _ -> with_question_in_unknown_call(Node)
    end;
%% A function value; functions of the module itself have names.
with_question(apply, Node) ->
    Operator = cerl:apply_op(Node),
    case cerl:is_c_fname(Operator) of
        true ->
            Node;
        false ->
            bound([Operator | cerl:apply_args(Node)], fun([Fun | Args]) ->
                Question = conductor_call(ask_fun, [Fun, cerl:c_int(length(Args))]),
                case_of_kind(Question, cerl:update_c_apply(Node, Fun, Args), conductor_call(started, [Fun, cerl:make_list(Args)]))
            end)
    end;
with_question(letrec, Node) ->
    case cerl:letrec_defs(Node) of
        [{Name, Loop}] ->
            case is_receive_name(Name) andalso timeout_of(Loop) of
                {ok, Timeout} -> cerl:c_seq(conductor_call(receiving, [Timeout]), Node);
                _ -> Node
            end;
        _ ->
            Node
    end;
with_question(seq, Node) ->
    cerl:update_c_seq(Node, unread(cerl:seq_arg(Node)), cerl:seq_body(Node));
with_question(_, Node) ->
    Node.

%% An operation with its question whose result nobody reads: that stays so, as some results tell of more than the run.
unread(Node) ->
    case cerl:type(Node) of
        seq ->
            cerl:update_c_seq(Node, cerl:seq_arg(Node), unread(cerl:seq_body(Node)));
        'try' ->
            case lists:member(beagle_operation, cerl:get_ann(Node)) of
                true ->
                    Done = cerl:update_c_seq(cerl:try_body(Node), cerl:seq_arg(cerl:try_body(Node)), cerl:c_atom(ok)),
                    cerl:update_c_try(Node, cerl:try_arg(Node), cerl:try_vars(Node), Done, cerl:try_evars(Node),
                                      cerl:try_handler(Node));
                false ->
                    Node
            end;
        _ ->
            Node
    end.

known_atom(Node) ->
    case cerl:is_c_atom(Node) of
        true -> {ok, cerl:atom_val(Node)};
        false -> unknown
    end.

with_question_in_call(visible, Module, Name, Node) ->
    bound(cerl:call_args(Node), fun(Args) ->
        Call = cerl:update_c_call(Node, cerl:call_module(Node), cerl:call_name(Node), Args),
        Operation = cerl:c_atom(operation_text(Module, Name, length(Args))),
        Question = case {Name, Args} of
                       {send_after, [Time | _]} -> [Operation, Time];
                       {start_timer, [Time | _]} -> [Operation, Time];
                       _ -> [Operation]
                   end,
        Done = until_done(Call),
        Shown = case {Module, Name, Args} of
                    {erlang, process_info, [Process | _]} -> conductor_call(shown, [Done, Process]);
                    _ -> Done
                end,
        cerl:c_seq(conductor_call(ask, Question), Shown)
    end);
with_question_in_call(start, _, Name, Node) ->
    conductor_call(started, [cerl:c_atom(Name), cerl:make_list(cerl:call_args(Node))]);
with_question_in_call(restart, Module, Name, Node) ->
    Args = [cerl:c_atom(beagle_conductor), cerl:c_atom(begin_anew), cerl:make_list(cerl:call_args(Node))],
    cerl:update_c_call(Node, cerl:c_atom(Module), cerl:c_atom(Name), Args);
with_question_in_call(other, _, _, Node) ->
    Node.

with_question_in_apply(Node, Args) ->
    bound(Args, fun(Bound) ->
        Call = cerl:update_c_call(Node, cerl:call_module(Node), cerl:call_name(Node), Bound),
        case Bound of
            [Module, Name, Arguments] ->
                case_of_kind(conductor_call(ask_if, [Module, Name, Arguments]), Call, conductor_call(started, [Name, Arguments]));
            [Function, Arguments] ->
                case_of_kind(conductor_call(ask_fun, [Function, Arguments]), Call, conductor_call(started, [Function, Arguments]));
            _ ->
                Call
        end
    end).

with_question_in_unknown_call(Node) ->
    bound([cerl:call_module(Node), cerl:call_name(Node) | cerl:call_args(Node)], fun([Module, Name | Args]) ->
        Question = conductor_call(ask_if, [Module, Name, cerl:c_int(length(Args))]),
        Call = cerl:update_c_call(Node, Module, Name, Args),
        case_of_kind(Question, Call, conductor_call(started, [Name, cerl:make_list(Args)]))
    end).

%% What is called is known when it is called. A call that nobody notices stays where it is, a tail call also.
case_of_kind(Question, Call, Start) ->
    Clause = fun(Kind, Body) -> cerl:c_clause([cerl:c_atom(Kind)], Body) end,
    cerl:c_case(Question, [Clause(visible, until_done(Call)), Clause(start, Start),
                           cerl:c_clause([new_core_variable()], Call)]).

%% Also if it fails.
until_done(Operation) ->
    [Value, Class, Reason, Stack] = [new_core_variable() || _ <- lists:seq(1, 4)],
    Done = fun(Then) -> cerl:c_seq(conductor_call(done, []), Then) end,
    cerl:ann_c_try([beagle_operation], Operation, [Value], Done(Value), [Class, Reason, Stack],
                   Done(cerl:c_primop(cerl:c_atom(raise), [Stack, Reason]))).

%% The arguments come first: they may have operations of their own.
bound(Args, Make) ->
    Named = [case cerl:type(Arg) of
                 var -> {Arg, []};
                 literal -> {Arg, []};
                 _ ->
                     Variable = new_core_variable(),
                     {Variable, [{Variable, Arg}]}
             end || Arg <- Args],
    {Names, Lets} = lists:unzip(Named),
    case lists:unzip(lists:append(Lets)) of
        {[], []} -> Make(Names);
        {[Variable], [Value]} -> cerl:c_let([Variable], Value, Make(Names));
        {Variables, Values} -> cerl:c_let(Variables, cerl:c_values(Values), Make(Names))
    end.

conductor_call(Name, Args) ->
    cerl:c_call(cerl:c_atom(beagle_conductor), cerl:c_atom(Name), Args).

operation_text(Module, '!', Arity) ->
    operation_text(Module, send, Arity);
operation_text(Module, Name, Arity) ->
    list_to_atom(lists:flatten(io_lib:format("~ts:~ts/~w", [Module, Name, Arity]))).

%% How long the loop of a receive waits for a message, unless it waits for ever.
timeout_of(Loop) ->
    case waits_in(cerl:fun_body(Loop)) of
        [Timeout | _] ->
            case is_named(Timeout, infinity) of
                true -> none;
                false -> {ok, Timeout}
            end;
        [] ->
            none
    end.

%% Receives in the bodies of clauses wait for themselves.
waits_in(Node) ->
    case cerl:type(Node) of
        primop ->
            case cerl:atom_val(cerl:primop_name(Node)) of
                recv_wait_timeout -> cerl:primop_args(Node);
                _ -> []
            end;
        letrec ->
            case [Name || {Name, _} <- cerl:letrec_defs(Node), is_receive_name(Name)] of
                [] -> waits_in_parts(Node);
                _ -> []
            end;
        _ ->
            waits_in_parts(Node)
    end.

waits_in_parts(Node) ->
    lists:append([waits_in(Part) || Parts <- cerl:subtrees(Node), Part <- Parts]).
