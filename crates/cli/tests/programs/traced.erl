%% Programs of a few steps, to be looked at.
-module(traced).
-export([main/1, choices/2, caught/1, deep/1, sorted/1, asked/1, answering/0, nobody/0, applied/1, endless/1, deeper/1, long/1]).

main(X) -> app(X, X).
app([], Ys) -> Ys;
app([H | T], Ys) -> [H | app(T, Ys)].
choices(N, Value) ->
    A = case Value of {a, X} -> X;
                      {b, X} when X > N, is_integer(X) -> X;
                      _ -> none
        end,
    B = if N > 5 -> large;
           true -> small
        end,
    C = try A / (N - 3)
        catch error:Why -> Why;
              _:_ -> other
        end,
    {A, B, C, [Y * 2 || {Y, _} <- [{1, x}, y]]}.

caught(X) ->
    try deep(X) catch error:function_clause -> no_clause; throw:V -> {thrown, V} end.


deep({a, X}) -> deep(X);
deep({t, X}) -> throw(X).
sorted(L) -> S = in_order(L), {S}.
in_order(L) -> lists:sort(fun at_most/2, L).
at_most(A, B) -> A =< B.

asked(X) ->
    P = spawn(traced, answering, []), P ! {ask, self(), X},
    receive {answer, Y} -> Y end.

answering() ->
    receive {ask, From, X} ->
        From ! {answer, X + 1}
    end.
nobody() ->
    receive somebody -> ok after 10 -> late end.

endless(N) -> endless(N + 1).
deeper(N) -> [N | deeper(N + 1)].
long(N) ->
    L = lists:seq(1, N), length(L).
%% The compiler could put the body of a fun that is applied at once in its place.
applied(X) -> {(fun(1) -> one end)(X - 1), try (fun(1) -> one end)(X) catch error:function_clause -> none end}.
