%% Targets behind calls, callbacks, exceptions and guards of callers.
-module(calls).
-export([first/2, callback/2, caught/1, positive/1, typed/1, thrown/1, sorted/1, twice/1, closure/2, applied/2,
    successor/1, trimmed/1, guarded/2]).
-export([calls_hidden/1, calls_hidden_directly/0]).

%% Six calls down, with many other ways.
-spec first(integer(), 0..99) -> term().
first(X, Way) ->
    case Way of
        17 -> second(X + 1);
        _ -> other(X, Way)
    end.

second(X) when X > 100 -> third(X * 2);
second(X) -> {second, X}.

third(X) when X rem 3 =:= 0 -> fourth(X - 1);
third(X) -> {third, X}.

fourth(X) when X < 500 -> fifth({value, X});
fourth(X) -> {fourth, X}.

fifth({value, X}) when X =/= 299 -> sixth([X, 7]);
fifth(Other) -> Other.

sixth([X, _]) when X rem 7 =:= 3 -> arrived; %! reached
sixth(_) -> almost.

other(X, Way) ->
    lists:foldl(fun(N, Sum) -> case (X + N) rem (Way + 2) of 0 -> Sum + N; _ -> Sum end end, 0, lists:seq(1, 100)).

-spec callback(fun((integer()) -> integer()), integer()) -> atom().
callback(F, X) ->
    case F(X + 1) - F(X) of
        42 -> steep; %! reached
        _ -> flat
    end.

-spec caught(term()) -> term().
caught(Text) ->
    try
        list_to_integer(Text)
    catch
        error:badarg -> not_a_number %! reached
    end.

-spec thrown([integer()]) -> term().
thrown(List) ->
    try
        check(List)
    catch
        throw:{too_large, X} when X > 1000 -> huge; %! reached
        throw:{too_large, _} -> large; %! reached
        throw:never -> never %! unreachable
    end.

check([X | _]) when X > 100 -> throw({too_large, X});
check([_ | Rest]) -> check(Rest);
check([]) -> ok.

%% The only caller lets no other number through.
-spec positive(integer()) -> atom().
positive(X) when X > 0 -> inner(X);
positive(_) -> refused.

inner(X) when X < 0 -> negative; %! unreachable
inner(X) when X =:= 0 -> zero; %! unreachable
inner(_) -> positive.

-spec typed(integer()) -> atom().
typed(X) when is_atom(X) -> atom; %! unreachable
typed(_) -> number. %! reached

-spec sorted([integer()]) -> [integer()].
sorted(List) -> lists:sort(List).

-spec twice(integer()) -> term().
twice(X) ->
    Y = 2 * X,
    case Y rem 2 of
        0 -> even; %! reached
        _ -> odd %! unreachable
    end.

-spec closure(integer(), integer()) -> term().
closure(X, Y) when X > 5 ->
    F = fun(Z) ->
        case Z + X of
            100 when X < 5 -> never; %! unreachable
            100 -> hundred; %! reached
            _ -> other
        end
    end,
    F(Y);
closure(_, _) -> small.

-spec applied(add | subtract, integer()) -> term().
applied(Name, X) ->
    apply(?MODULE, twice, [X]) =:= even andalso compute(Name, X).

compute(add, X) when X + 1 =:= 78 -> added; %! reached
compute(subtract, X) when X - 1 =:= 78 -> subtracted; %! reached
compute(_, _) -> other.

%% What cannot fail is caught in vain.
-spec successor(integer()) -> term().
successor(X) ->
    try
        X + 1
    catch
        _:_ -> never %! unreachable
    end.

%% The helper raises for one number only, and not for this one.
-spec guarded(integer(), integer()) -> term().
guarded(X, Y) when X > 0 ->
    try
        divided(Y, X)
    catch
        error:badarith -> by_zero; %! unreachable
        throw:negative -> negative %! reached
    end;
guarded(_, _) -> refused.

divided(X, _) when X < 0 -> throw(negative);
divided(X, Y) -> X div Y.

-spec trimmed(string()) -> string().
trimmed(Text) -> string:trim(Text).

%% Who calls a function of a module by its name can call exported ones only.
-spec calls_hidden(integer()) -> term().
calls_hidden(X) ->
    try calls:hidden(X)
    catch error:undef -> target %! reached
    end.

hidden(X) -> {ok, X}.

-spec calls_hidden_directly() -> term().
calls_hidden_directly() -> hidden(3).
