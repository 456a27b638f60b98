%% The helper on events: calls in Core Erlang that say which clause of a choice was taken.
%%
%% An event is a call of beagle_event:at/1 at the beginning of a clause of `case` (which functions, `if` and receives have
%% become) and of the handler of an exception. It stands before the body and never behind it, so a tail call stays one, and
%% no stack trace shows it. A clause that is the only one is not chosen, and has no event; one that only raises what the
%% compiler raises where no clause fits needs none, because the exception shows it. Guards have no events. Which message of
%% a mailbox is looked at, and how often a process wakes up, is up to the schedule, so the loop of a receive has none
%% itself.
%%
%% The number of an event is unique in the program, as far as a hash of the module's name is. All events of a module stand
%% in an attribute: `{Number, Function, Arity, Line, Kind, Index, Count}`. What is compiled for the runtime and lowered for
%% the machine is the same Core: so both emit the same numbers.

%% Modules that load native code stay as they are, and so does what the events themselves are made with.
takes_events(Module, Core) ->
    not lists:member(Module, [beagle_event, erlang, atomics, persistent_term, erts_internal])
        andalso not loads_native_code(Core).

loads_native_code(Core) ->
    IsLoad = fun(Node, Found) ->
                     Found orelse cerl:is_c_call(Node)
                         andalso is_named(cerl:call_module(Node), erlang)
                         andalso is_named(cerl:call_name(Node), load_nif)
             end,
    cerl_trees:fold(IsLoad, false, Core).

begin_core_events(Module) ->
    put(events, []),
    put(event_base, erlang:phash2(Module, 1 bsl 26) bsl 20).

end_core_events() ->
    erase(event_base),
    erase(event_function),
    lists:reverse(erase(events)).

%% For each clause, its index and the number of all if it is chosen among several, else `none`.
choices(Clauses) ->
    Chosen = [is_chosen(Clause) || Clause <- Clauses],
    HasChoice = length([yes || true <- Chosen]) > 1 orelse lists:any(fun is_passed_over/1, Clauses),
    [case HasChoice andalso IsChosen of
         true -> {Index, length(Clauses)};
         false -> none
     end || {Index, IsChosen} <- lists:zip(lists:seq(1, length(Clauses)), Chosen)].

new_event(Kind, Index, Count, Line) ->
    Number = get(event_base) + length(get(events)) + 1,
    {Function, Arity} = get(event_function),
    put(events, [{Number, Function, Arity, Line, Kind, Index, Count} | get(events)]),
    cerl:c_call(cerl:c_atom(beagle_event), cerl:c_atom(at), [cerl:c_int(Number)]).

behind_event(none, Body) ->
    Body;
behind_event(Event, Body) ->
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
            Removed = new_core_variable(),
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

is_primop_first(Body, Names) ->
    First = case cerl:type(Body) of
                seq -> cerl:seq_arg(Body);
                'let' -> cerl:let_arg(Body);
                _ -> Body
            end,
    cerl:is_c_primop(First) andalso lists:member(cerl:atom_val(cerl:primop_name(First)), Names).
