%% The helper on forced schedules: every operation that other processes could notice asks beagle_conductor before it
%% happens, and says when it has happened. What is asked for is named by its function.
%%
%% Processes that are started are told to the conductor by whoever starts them. A receive that may give up asks before it
%% begins: whether a message is there by then depends on the order.

conducted(Forms) ->
    Locals = [{Name, Arity} || {function, _, Name, Arity, _} <- Forms],
    Imports = [{{Name, Arity}, Module} || {attribute, _, import, {Module, Names}} <- Forms, {Name, Arity} <- Names],
    put(conduct_names, {Locals, maps:from_list(Imports)}),
    [conducted_form(Form) || Form <- Forms].

conducted_form({function, Anno, Name, Arity, Clauses}) ->
    put(conduct_variables, 0),
    {function, Anno, Name, Arity, conducted_expr(Clauses)};
conducted_form(Form) ->
    Form.

%% Patterns and guards have no such operation, so that one walk goes through everything.
conducted_expr({call, Anno, Function, Args}) ->
    Call = {call, Anno, conducted_expr(Function), conducted_expr(Args)},
    case conducted_name(Function, length(Args)) of
        {Module, Name, Arity} ->
            case conducted_kind(Module, Name, Arity) of
                visible -> conducted_operation(Call, conduct_text(Module, Name, Arity));
                start -> conductor_call(born, [Call], Anno);
                other -> Call
            end;
        unknown ->
            Call
    end;
conducted_expr({op, Anno, '!', To, Message}) ->
    Call = {call, Anno, {remote, Anno, {atom, Anno, erlang}, {atom, Anno, send}},
            [conducted_expr(To), conducted_expr(Message)]},
    {Bound, {call, _, _, [Receiver, Sent]}} = conduct_bound(Call),
    {block, Anno,
     Bound ++ [conductor_call(ask, [{atom, Anno, 'erlang:send/2'}], Anno),
               conduct_done({op, Anno, '!', Receiver, Sent}, Anno)]};
conducted_expr({'receive', Anno, Clauses, Timeout, Body}) ->
    Wait = conduct_variable(Anno),
    {block, Anno,
     [{match, Anno, Wait, conducted_expr(Timeout)}, conductor_call(ask, [{atom, Anno, 'receive'}], Anno),
      conductor_call(done, [], Anno),
      {'receive', Anno, conducted_expr(Clauses), Wait, conducted_expr(Body)}]};
conducted_expr(Parts) when is_list(Parts) ->
    [conducted_expr(Part) || Part <- Parts];
%% Annotations and literals are no expressions.
conducted_expr({Leaf, _, _} = Expr) when Leaf =:= atom; Leaf =:= integer; Leaf =:= float; Leaf =:= char;
                                         Leaf =:= string; Leaf =:= var ->
    Expr;
conducted_expr(Expr) when is_tuple(Expr), tuple_size(Expr) > 2, is_atom(element(1, Expr)) ->
    [Tag, Anno | Parts] = tuple_to_list(Expr),
    list_to_tuple([Tag, Anno | conducted_expr(Parts)]);
conducted_expr({clauses, Clauses}) ->
    {clauses, conducted_expr(Clauses)};
conducted_expr(Other) ->
    Other.

%% The arguments come first: they may have operations of their own.
conducted_operation({call, Anno, _, _} = Call, Text) ->
    {Bound, Operation} = conduct_bound(Call),
    %% Who exits is done when it is gone.
    Done = case Text of
               'erlang:exit/1' -> Operation;
               _ -> conduct_done(Operation, Anno)
           end,
    {block, Anno, Bound ++ [conductor_call(ask, [{atom, Anno, Text}], Anno), Done]}.

%% Also if it fails.
conduct_done(Operation, Anno) ->
    {'try', Anno, [Operation], [], [], [conductor_call(done, [], Anno)]}.

conduct_bound({call, Anno, Function, Args}) ->
    {Bound, Names} = lists:foldr(
        fun(Arg, {Bound, Names}) when element(1, Arg) =:= var; element(1, Arg) =:= atom; element(1, Arg) =:= integer ->
                {Bound, [Arg | Names]};
           (Arg, {Bound, Names}) ->
                Name = conduct_variable(Anno),
                {[{match, Anno, Name, Arg} | Bound], [Name | Names]}
        end, {[], []}, Args),
    {Bound, {call, Anno, Function, Names}}.

conduct_variable(Anno) ->
    Number = put(conduct_variables, get(conduct_variables) + 1),
    {var, Anno, list_to_atom("beagle@" ++ integer_to_list(Number))}.

conductor_call(Name, Args, Anno) ->
    {call, Anno, {remote, Anno, {atom, Anno, beagle_conductor}, {atom, Anno, Name}}, Args}.

conducted_name({remote, _, {atom, _, Module}, {atom, _, Name}}, Arity) ->
    {Module, Name, Arity};
conducted_name({atom, _, Name}, Arity) ->
    {Locals, Imports} = get(conduct_names),
    case {lists:member({Name, Arity}, Locals), Imports} of
        {true, _} -> unknown;
        {false, #{{Name, Arity} := Module}} -> {Module, Name, Arity};
        {false, _} -> {erlang, Name, Arity}
    end;
conducted_name(_, _) ->
    unknown.

conduct_text(Module, Name, Arity) ->
    list_to_atom(lists:flatten(io_lib:format("~ts:~ts/~w", [Module, Name, Arity]))).

conducted_kind(erlang, exit, _) ->
    visible;
conducted_kind(erlang, group_leader, 0) ->
    other;
conducted_kind(erlang, Name, _) ->
    Visible = [send, send_nosuspend, link, unlink, monitor, demonitor, register, unregister, whereis, registered,
               is_process_alive, process_info, processes, group_leader, alias, unalias, send_after, start_timer,
               cancel_timer, read_timer],
    Starts = [spawn, spawn_link, spawn_monitor, spawn_opt],
    case {lists:member(Name, Visible), lists:member(Name, Starts)} of
        {true, _} -> visible;
        {_, true} -> start;
        _ -> other
    end;
conducted_kind(ets, _, _) -> visible;
conducted_kind(persistent_term, _, _) -> visible;
conducted_kind(atomics, _, _) -> visible;
conducted_kind(counters, _, _) -> visible;
conducted_kind(_, _, _) -> other.
