%% What never ends, and what only takes long. Each function says which by its name: `endless_`, `long_`, `stuck_`.
-module(endings).
-compile([export_all, nowarn_export_all]).

-spec endless_same() -> none().
endless_same() -> same(x).
same(X) -> same(X).

-spec endless_mutual() -> none().
endless_mutual() -> ping(1, 2).
ping(A, B) -> pong(B, A).
pong(A, B) -> ping(A, B).

%% A rule of Collatz that is wrong: 5, 14, 7, 20, 10, 5.
-spec endless_cycle() -> ok.
endless_cycle() -> collatz(5).
collatz(1) -> ok;
collatz(N) when N rem 2 =:= 0 -> collatz(N div 2);
collatz(N) -> collatz(3 * N - 1).

-spec endless_factorial() -> integer().
endless_factorial() -> factorial(-1).
factorial(0) -> 1;
factorial(N) -> N * factorial(N - 1).

-spec endless_fibonacci() -> integer().
endless_fibonacci() -> fibonacci(-1).
fibonacci(0) -> 0;
fibonacci(1) -> 1;
fibonacci(N) -> fibonacci(N - 1) + fibonacci(N - 2).

-spec endless_inside() -> list().
endless_inside() -> inside(3).
inside(N) -> [N | inside(N)].

-spec endless_accumulator() -> none().
endless_accumulator() -> accumulate(x, []).
accumulate(X, Acc) -> accumulate(X, [a | Acc]).

-spec endless_text() -> none().
endless_text() -> text(<<>>).
text(Acc) -> text(<<Acc/binary, "more">>).

-spec endless_count() -> ok.
endless_count() -> count(1, 0).
count(0, _) -> ok;
count(N, Sum) -> count(N + 1, Sum + N).

-spec endless_state() -> none().
endless_state() -> state({state, 0, #{limit => 10, seen => []}}).
state({state, N, #{limit := Limit, seen := Seen} = Map}) when Limit > 5 ->
    state({state, N + 2, Map#{seen := [N | Seen]}}).

%% The half that is left never gets smaller.
-spec endless_search() -> integer().
endless_search() -> search({1, 3, 5, 7, 9, 11}, 12, 1, 6).
search(_, _, Low, High) when Low > High -> 0;
search(Tuple, X, Low, High) ->
    Middle = (Low + High) div 2,
    case element(Middle, Tuple) of
        X -> Middle;
        Y when Y > X -> search(Tuple, X, Low, Middle);
        _ -> search(Tuple, X, Middle, High)
    end.

-spec endless_caught() -> none().
endless_caught() ->
    try throw(again)
    catch again -> endless_caught()
    end.

-spec endless_fun() -> none().
endless_fun() -> F = fun(Self, X) -> Self(Self, X) end, F(F, 1).

%% Somebody may have sent the message before.
-spec long_wait() -> none().
long_wait() -> receive stop -> ok after 10 -> long_wait() end.

%% The loop changes a table and the dictionary, which never lets it go elsewhere.
-spec endless_table() -> none().
endless_table() -> T = ets:new(counters, []), ets:insert(T, {c, 0}), table(T).
table(T) -> ets:update_counter(T, c, 1), table(T).

-spec endless_dictionary() -> none().
endless_dictionary() -> put(n, 0), dictionary().
dictionary() -> put(n, get(n) + 1), dictionary().

-spec endless_after_helpers() -> none().
endless_after_helpers() -> helped([3, 1, 2], 0).
helped(List, N) -> Sorted = lists:sort(List), helped(lists:reverse(Sorted), lists:sum(Sorted) + N).

%% --- These end, or may.

-spec long_loop() -> ok.
long_loop() -> down(100000000).
down(0) -> ok;
down(N) -> down(N - 1).

-spec long_up() -> ok.
long_up() -> up(0, 3000000000, []).
up(N, N, _) -> ok;
up(M, N, Last) -> up(M + 1, N, [M | tail(Last)]).
tail([_, _, _ | _]) -> [];
tail(List) -> List.

-spec long_fibonacci() -> integer().
long_fibonacci() -> fibonacci(40).

-spec long_list() -> integer().
long_list() -> length(build(10000000, [])).
build(0, List) -> List;
build(N, List) -> build(N - 1, [{N, N} | List]).

-spec long_body() -> integer().
long_body() -> length(body(20000000)).
body(0) -> [];
body(N) -> [N | body(N - 1)].

-spec long_ackermann() -> integer().
long_ackermann() -> ackermann(4, 1).
ackermann(0, N) -> N + 1;
ackermann(M, 0) -> ackermann(M - 1, 1);
ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).

-spec long_clock() -> ok.
long_clock() -> clock(erlang:monotonic_time(millisecond) + 4000).
clock(Until) ->
    case erlang:monotonic_time(millisecond) >= Until of
        true -> ok;
        false -> clock(Until)
    end.

%% Ends when the counter in the table does, far away.
-spec long_table() -> ok.
long_table() -> T = ets:new(counters, []), ets:insert(T, {c, 0}), long_table(T).
long_table(T) ->
    case ets:update_counter(T, c, 1) of
        1000000000 -> ok;
        _ -> long_table(T)
    end.

-spec long_dictionary() -> ok.
long_dictionary() -> put(n, 1000000000), long_dictionary(x).
long_dictionary(X) ->
    case put(n, get(n) - 1) of
        0 -> ok;
        _ -> long_dictionary(X)
    end.

%% Twice the same call, one behind the other and not one inside the other.
-spec long_twice() -> integer().
long_twice() -> twice(30).
twice(0) -> 1;
twice(N) -> twice(N - 1) + twice(N - 1).

-spec long_random() -> ok.
long_random() ->
    case erlang:unique_integer([positive]) of
        1000000000000 -> ok;
        _ -> long_random()
    end.

-spec long_float() -> ok.
long_float() -> halves(0.0).
halves(X) when X >= 1.0e9 -> ok;
halves(X) -> halves(X + 0.5).

%% Nobody sends.
-spec stuck_receive() -> ok.
stuck_receive() -> receive stop -> ok end.
