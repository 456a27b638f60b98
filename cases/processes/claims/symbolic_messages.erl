%% Patterns of a receive are decisions about what was sent.
%%? shape/1: finds error:found for ({point, 3, Y}) when Y > 10; failures = 1
%%? later_first/2: finds error:{swapped, _} for (A, B) when A =< 5, B > 5; failures = 1; exhausts
%%? unknown_stays/1: finds error:{left, 1} for (X) when X =/= a, X =/= b; failures = 1
-module(symbolic_messages).
-export([shape/1, later_first/2, unknown_stays/1]).

-spec shape(term()) -> ok.
shape(X) ->
    Me = self(),
    P = spawn(fun() -> Me ! {self(), seen()} end),
    P ! X,
    P ! stop,
    case receive {P, Seen} -> Seen end of
        far -> error(found);
        _ -> ok
    end.
seen() ->
    receive
        {point, 3, Y} when is_integer(Y), Y > 10 -> far;
        {point, _, _} -> near;
        [_ | _] -> list;
        stop -> nothing
    end.

%% Large numbers are taken first, whatever came first.
-spec later_first(integer(), integer()) -> ok.
later_first(A, B) ->
    Me = self(),
    P = spawn(fun() -> receive ready -> ok end, X = large(), Y = any(), Me ! {self(), X, Y} end),
    [P ! M || M <- [A, B, ready]],
    receive
        {P, A, B} -> ok;
        {P, X, Y} -> error({swapped, {X, Y}})
    end.
large() -> receive N when is_integer(N), N > 5 -> N after 0 -> receive N when is_integer(N) -> N end end.
any() -> receive N when is_integer(N) -> N end.

-spec unknown_stays(atom()) -> ok.
unknown_stays(X) ->
    Me = self(),
    P = spawn(fun() -> receive a -> ok; b -> ok; stop -> ok end, Me ! {self(), process_info(self(), message_queue_len)} end),
    P ! X,
    P ! stop,
    case receive {P, {message_queue_len, N}} -> N end of
        0 -> error({left, 1});
        1 when X =:= a; X =:= b -> ok;
        1 -> error({left, 1})
    end.
