%% One function for each way in which a test can end.
-module(tested).
-export([clean/1, product/2, crash/1, broken_promise/1, loop/1, slow/1, wait/1, varying/1, deep/1, without_spec/1, denied/1]).

-spec clean(integer()) -> non_neg_integer().
clean(X) when X < 0 -> -X;
clean(X) -> X.

%% Nothing that is decided without a solver.
-spec product(integer(), integer()) -> ok.
product(X, Y) when 3 * X + 5 * Y =:= 1001, X > Y, Y > 40 -> error(solved);
product(_, _) -> ok.

-spec crash(integer()) -> integer().
crash(X) when X > 1000 -> hidden(X - 1000);
crash(_) -> 0.

hidden(17) -> error({unlucky, 17});
hidden(Y) -> Y.

-spec broken_promise([integer()]) -> pos_integer().
broken_promise(List) -> length(List).

-spec loop(integer()) -> ok.
loop(42) -> loop(42);
loop(_) -> ok.

%% Long, but not for ever.
-spec slow(boolean()) -> ok.
slow(true) -> count(2000000);
slow(false) -> ok.

count(0) -> ok;
count(N) -> count(N - 1).

-spec wait(boolean()) -> ok.
wait(true) -> receive never -> ok end;
wait(false) -> ok.

%% Nobody's arguments decide this.
-spec varying(boolean()) -> integer().
varying(true) -> 0 = erlang:unique_integer([positive]);
varying(false) -> 1.

-spec deep([integer()]) -> integer().
deep(List) -> lists:sum([a_tenth(X) || X <- List]).

a_tenth(X) when X rem 10 =:= 0 -> X div 10.

without_spec({ok, Value}) -> Value + 1.

-spec denied(boolean()) -> ok.
denied(true) -> _ = file:delete("/no/such/file"), ok;
denied(false) -> ok.
