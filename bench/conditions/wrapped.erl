%% Arithmetic of machine integers, hashes, and lists of numbers.
-module(wrapped).
-compile([export_all, nowarn_export_all]).

%% As 32-bit integers of other languages behave.
int(X) ->
    case X band 16#FFFFFFFF of
        Y when Y >= 16#80000000 -> Y - 16#100000000;
        Y -> Y
    end.

-type int() :: -2147483648..2147483647.

-spec cube(int()) -> ok.
cube(X) ->
    solved(int(int(X * X) * X) =:= 5).

-spec cube_is_negative(int()) -> ok.
cube_is_negative(X) ->
    solved(X > 0 andalso int(X * X * X) =:= -8).

-spec square_overflows(int()) -> ok.
square_overflows(X) ->
    solved(X > 1000 andalso int(X * X) =:= 1).

-spec product_wraps(int(), int()) -> ok.
product_wraps(X, Y) ->
    solved(X > 1 andalso Y > 1 andalso int(X * Y) =:= 12345679).

-spec sum_of_cubes_wraps(int(), int()) -> ok.
sum_of_cubes_wraps(X, Y) ->
    solved(X =/= Y andalso int(X * X * X + Y * Y * Y) =:= 35).

-spec linear_congruence(non_neg_integer()) -> ok.
linear_congruence(X) ->
    solved((X * 1103515245 + 12345) band 16#7FFFFFFF =:= 271828182 andalso X < 16#80000000).

-spec xor_shift(0..16#FFFFFFFF) -> ok.
xor_shift(X) ->
    A = X bxor ((X bsl 13) band 16#FFFFFFFF),
    B = A bxor (A bsr 17),
    C = B bxor ((B bsl 5) band 16#FFFFFFFF),
    solved(C =:= 16#CAFEBABE).

-spec mixed_hash(0..16#FFFF, 0..16#FFFF) -> ok.
mixed_hash(X, Y) ->
    solved(X =/= 77 andalso hash(X, Y) =:= hash(77, 99)).

hash(X, Y) -> ((X bsl 5) bxor (X bsr 2) bxor (Y bsl 3) bxor Y) band 16#FFFF.

-spec string_hash([32..126, ...]) -> ok.
string_hash(Text) ->
    solved(length(Text) =:= 4 andalso text_hash(Text, 0) =:= 2987074).

text_hash([C | Rest], Hash) -> text_hash(Rest, (Hash * 31 + C) band 16#FFFFFFFF);
text_hash([], Hash) -> Hash.

-spec xor_hash(0..255, 0..255, 0..255, 0..255) -> ok.
xor_hash(A, B, C, D) ->
    Fold = fun(Byte, Hash) -> ((Hash bxor Byte) * 16777619) band 16#FFFFFFFF end,
    solved(lists:foldl(Fold, 2166136261, [A, B, C, D]) band 16#FFF =:= 16#ABC).

-spec checksum(0..255, 0..255, 0..255) -> ok.
checksum(A, B, C) ->
    Low = (1 + A + B + C) rem 251,
    High = ((1 + A) + (1 + A + B) + (1 + A + B + C)) rem 251,
    solved(High * 256 + Low =:= 25700 andalso A > 100).

-spec mean_and_deviation([float()]) -> ok.
mean_and_deviation(Xs) when length(Xs) =:= 4 ->
    Mean = lists:sum(Xs) / length(Xs),
    Deviation = math:sqrt(lists:sum([(X - Mean) * (X - Mean) || X <- Xs]) / length(Xs)),
    solved(Mean == 10.0 andalso abs(Deviation - 3.0) < 1.0e-6);
mean_and_deviation(_) ->
    ok.

-spec mean_of_integers([integer()]) -> ok.
mean_of_integers([]) ->
    ok;
mean_of_integers(Xs) ->
    Mean = lists:sum(Xs) / length(Xs),
    solved(Mean == 7.5 andalso lists:sum([X * X || X <- Xs]) > 500 andalso length(Xs) > 1).

-spec geometric_mean(float(), float(), float()) -> ok.
geometric_mean(X, Y, Z) ->
    solved(X > 0.0 andalso Y > X andalso Z > Y andalso abs(math:pow(X * Y * Z, 1 / 3) - 6.0) < 1.0e-9).

solved(true) -> error(solved);
solved(false) -> ok.
