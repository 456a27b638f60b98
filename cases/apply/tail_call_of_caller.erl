%% In tail position a computed call of a function that itself makes a call comes back to the right place.
%%! computed(erlang, apply, fun(X) -> {got, X} end, [1]) ==> {got,1}
%%! outside(erlang, apply, fun(X) -> {got, X} end, [1])  ==> {{got,1},{got,1}}
%%! by_value(fun erlang:apply/2, fun(X) -> {got, X} end, [1]) ==> {got,1}
%%! by_value(fun erlang:apply/2, fun erlang:apply/2, [fun erlang:apply/2, [fun(X) -> {deep, X} end, [1]]]) ==> {deep,1}
%%! three(fun erlang:apply/3, lists, map)                ==> [2,4,6]
%%! three(fun erlang:apply/3, erlang, apply)             ==> [1,2,3]
%%! looping(erlang, apply, 100000)                       ==> done
%%! formatted(io, format, "~w", [x])                     ==> ok
%%! formatted(io, format, "~w", [])                      ==> error badarg
-module(tail_call_of_caller).
-compile(export_all).
-compile(nowarn_export_all).

computed(M, F, A, B) ->
    case B of
        [1] -> M:F(A, B);
        _ -> other
    end.

outside(M, F, A, B) ->
    X = computed(M, F, A, B),
    Y = computed(M, F, A, B),
    {X, Y}.

by_value(F, A, B) when is_function(F) ->
    case A of
        none -> 1;
        _ -> F(A, B)
    end;
by_value(_, _, _) -> never.

three(F, lists, map) -> F(lists, map, [fun(X) -> X * 2 end, [1, 2, 3]]);
three(F, M, A) -> F(M, A, [lists, seq, [1, 3]]).

looping(_, _, 0) -> done;
looping(M, F, N) -> M:F(fun looping/3, [M, F, N - 1]).

formatted(M, F, Format, Args) ->
    case Args of
        [x] -> M:F(Format, Args);
        [] -> M:F(Format, Args);
        _ -> other
    end.
