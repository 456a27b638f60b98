%% Branches before a contradiction, and conditions over numbers.
-module(branches).
-export([nine/2, untouched/2, smallest/1, cube/2, triangle/3, query/1, split/1]).

%% Each of nine branches may change Z, and none of them Y.
-spec nine(integer(), [boolean()]) -> atom().
nine(Y, Flags) when Y > 0 ->
    Z0 = pick(1, Flags, 0),
    Z1 = pick(2, Flags, Z0),
    Z2 = pick(3, Flags, Z1),
    Z3 = pick(4, Flags, Z2),
    Z4 = pick(5, Flags, Z3),
    Z5 = pick(6, Flags, Z4),
    Z6 = pick(7, Flags, Z5),
    Z7 = pick(8, Flags, Z6),
    Z8 = pick(9, Flags, Z7),
    case Y of
        0 -> {never, Z8}; %! unreachable 1
        _ -> {always, Z8}
    end;
nine(_, _) -> small.

pick(N, Flags, Z) ->
    case length(Flags) >= N andalso lists:nth(N, Flags) of
        true -> Z + N;
        false -> Z - N
    end.

-spec untouched(integer(), integer()) -> atom().
untouched(X, Y) ->
    A = if X > 1 -> 1; true -> 2 end,
    B = if X > 2 -> 1; true -> 2 end,
    C = if X > 3 -> 1; true -> 2 end,
    D = if X > 4 -> 1; true -> 2 end,
    E = if X > 5 -> 1; true -> 2 end,
    F = if X > 6 -> 1; true -> 2 end,
    G = if X > 7 -> 1; true -> 2 end,
    H = if X > 8 -> 1; true -> 2 end,
    I = if X > 9 -> 1; true -> 2 end,
    if
        Y > 0 ->
            if
                Y =:= 0 -> {never, A, B, C, D, E, F, G, H, I}; %! unreachable 1
                true -> {A, B, C, D, E, F, G, H, I}
            end;
        true -> small
    end.

%% The absolute value of a 32-bit integer wraps around for the smallest one.
-spec smallest(-2147483648..2147483647) -> atom().
smallest(X) ->
    Abs = if X < 0 -> wrap(-X); true -> X end,
    case Abs < 0 of
        true -> negative; %! reached
        false -> fine
    end.

wrap(X) ->
    case X band 16#FFFFFFFF of
        Large when Large > 16#7FFFFFFF -> Large - 16#100000000;
        Small -> Small
    end.

-spec cube(integer(), integer()) -> atom().
cube(X, Y) when X > 10, X * X * X =:= Y + 3 -> cube; %! reached
cube(_, _) -> other.

-spec triangle(integer(), integer(), integer()) -> atom().
triangle(A, B, C) when A =< 0; B =< 0; C =< 0 -> invalid; %! reached
triangle(A, B, C) when A + B =< C; A + C =< B; B + C =< A -> invalid; %! reached
triangle(A, A, A) -> equilateral; %! reached
triangle(A, A, _) -> isosceles; %! reached
triangle(_, A, A) -> isosceles; %! reached
triangle(A, _, A) -> isosceles; %! reached
triangle(_, _, _) -> scalene. %! reached

%% Two keys, one of them with a certain value.
-spec query(string()) -> atom().
query(Text) ->
    Pairs = pairs(Text, []),
    case {lists:keyfind("id", 1, Pairs), lists:keyfind("q", 1, Pairs)} of
        {{_, _}, {_, "x"}} -> both; %! reached
        _ -> other
    end.

pairs([], Pairs) -> lists:reverse(Pairs);
pairs(Text, Pairs) ->
    {Key, Behind} = up_to($=, Text, []),
    {Value, Rest} = up_to($&, Behind, []),
    pairs(Rest, [{Key, Value} | Pairs]).

up_to(_, [], Before) -> {lists:reverse(Before), []};
up_to(Letter, [Letter | Rest], Before) -> {lists:reverse(Before), Rest};
up_to(Letter, [Other | Rest], Before) -> up_to(Letter, Rest, [Other | Before]).

%% The same with the functions of OTP.
-spec split(binary()) -> atom().
split(Text) ->
    Parts = [binary:split(Part, <<"=">>) || Part <- binary:split(Text, <<"&">>, [global])],
    case maps:from_list([{Key, Value} || [Key, Value] <- Parts]) of
        #{<<"id">> := _, <<"q">> := <<"x">>} -> both; %! reached
        _ -> other
    end.
