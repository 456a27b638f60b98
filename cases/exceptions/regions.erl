%% Handlers catch what is raised inside their own bodies, in guards and nested forms too, and nothing else.
%%! [in_of(X) || X <- [1, a, {}]]                       ==> [{outer,badarg},{atom,a},{outer,badarith}]
%%! [nested(X) || X <- [1, a, {a}, {1}, []]]            ==> [{2,[2],2},{error,badarg,a},{a,"a",97},{one,"one",111},{error,badarg,[]}]
%%! [guards(X) || X <- [1, a, {a}, #{}, <<>>]]          ==> [{number,1},{other,a},{tuple,{a}},{map,#{}},{other,<<>>}]
%%! guards([])                                          ==> error {try_clause,[]}
%%! guards({1})                                         ==> error {try_clause,{1}}
%%! [rethrown(X) || X <- [1, a, {1}]]                   ==> [2,{badarith,a},{badarith,{1}}]
%%! [in_after(X) || X <- [1, a, {1}]]                   ==> [{{badarg,2},[three,two,one]},{{caught,badarith},[three,one]},{{caught,badarith},[three,one]}]
%%! [condition(X) || X <- [1, a, {1}, 0]]               ==> [yes,no,no,no]
%%! [operands(X) || X <- [1, a, 2.5]]                   ==> [[2,2,1,-1],[badarith,badarith,a|a],[3.5,5.0,2.5,-2.5]]
%%! [last_use(X) || X <- [1, a, {1, 2}, []]]            ==> [1,a,{even,2},none]
%%! [old(X) || X <- [1, a, {1}]]                        ==> [{'EXIT',2},a,[{1}]]
%%! through(1)                                          ==> throw {2,2}
%%! [through(X) || X <- [a, {1}]]                       ==> [{a},{{1}}]
%%! [values(X) || X <- [1, a, {1}]]                     ==> [-1,a,{same,1}]
-module(regions).
-compile(export_all).
-compile(nowarn_export_all).

id(X) -> X.

in_of(X) ->
    try
        try id(X) + 1 of
            Y -> hd(Y)
        catch
            error:badarg -> inner;
            error:badarith when is_atom(X) -> {atom, X}
        end
    catch
        error:Reason -> {outer, Reason}
    end.

nested(X) ->
    try
        Y = try id(X) + 1 catch error:badarith when element(1, X) =:= 1 -> one; error:badarith -> element(1, X) end,
        Z = try atom_to_list(Y) catch _:_ -> [Y] end,
        {Y, Z, hd(Z)}
    catch
        C:R -> {C, R, X}
    end.

guards(X) ->
    try id(X) of
        A when A + 1 > 1; hd(A) =:= 1 -> {number, A};
        B when element(1, B) =:= a orelse element(2, B) =:= a -> {tuple, B};
        C when (not is_map(C)) andalso (is_binary(C) xor is_atom(C)) -> {other, C};
        D when map_size(D) =:= 0 -> {map, D}
    catch
        _:R -> R
    end.

rethrown(X) ->
    try
        try throw({thrown, id(X) + 1})
        catch throw:{thrown, N} when N > 1 -> exit({exited, N})
        end
    catch
        exit:{exited, M} -> M;
        error:E -> {E, X}
    end.

in_after(X) ->
    put(log, []),
    R = try
        try id(X) + 1
        after put(log, [one | get(log)]), _ = id(get(log))
        end
    of
        V -> try hd(V) catch error:W -> {W, V} after put(log, [two | get(log)]) end
    catch
        error:E -> {caught, E}
    after
        put(log, [three | get(log)])
    end,
    {R, erase(log)}.

condition(X) ->
    case (try id(X) > 0 andalso 10 div X > 1 catch _:_ -> false end) of
        true -> case catch hd(X) of {'EXIT', {badarg, _}} -> yes; Other -> Other end;
        false -> no
    end.

operands(X) ->
    A = id(X),
    B = [catch A + 1, (try A * 2 catch error:E -> E end), A | try [-A] catch _:_ -> A end],
    case B of
        [{'EXIT', {R, _}} | T] -> [R | T];
        _ -> B
    end.

last_use(X) ->
    Y = id(X),
    Z = id({Y}),
    W = try element(1, Z) of
        V when tuple_size(V) > 1 -> tuple_size(V);
        V when length(V) =:= 0 -> none;
        V when V > b -> large;
        V -> V
    catch
        _:_ -> never
    end,
    case id(W) of
        U when abs(U) > 5 -> {five, U};
        U when is_integer(U), U rem 2 =:= 0 -> {even, U};
        U -> U
    end.

old(X) ->
    case catch (id(X) + 1) of
        {'EXIT', {badarith, _}} -> case catch throw(X) of Y when is_atom(Y) -> Y; Z -> [Z] end;
        N -> catch exit(N)
    end.

through(X) ->
    F = fun(Y) -> try Y + 1 catch error:_ -> throw(Y) end end,
    try lists:map(F, [id(1), id(X)]) of
        [A, B] -> F({A, B})
    catch
        throw:T -> {T}
    end.

values(X) ->
    {A, B} = case id(X) of
        Y when is_atom(Y) -> try {Y, Y + 1} catch _:_ -> {Y, none} end;
        Y when Y > 0, is_integer(Y) -> {Y + 1, Y};
        Y -> {element(1, Y), Y}
    end,
    case {id(B), id(A)} of
        {none, C} -> C;
        {D, E} when is_tuple(D), E =:= element(1, D) -> {same, E};
        {D, E} -> D - E
    end.
