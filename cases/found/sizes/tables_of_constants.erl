%% What is looked up in a table of constants is a function of the key: one decision, whatever its size.
%%! clauses("c3")   ==> error found
%%! tuple($c)       ==> error found
%%! list(3)         ==> error found
%%! member($;)      ==> separator
%%! member($x)      ==> error other
%%! decode("aGkh")  ==> error found
%%! words(thursday) ==> error found
%%? clauses/1: finds error:found for ([$c, $3]) within 20 runs; exhausts; runs <= 12; failures = 1
%%? tuple/1: finds error:found for (C) when C rem 16 =:= 3; exhausts; failures = 1
%%? list/1: finds error:found for (3); exhausts; runs <= 3; failures = 1
%%? member/1: finds error:other; exhausts; runs = 2; failures = 1
%%? decode/1 with max 200: finds error:found for ("aGkh"); failures = 1
%%? words/1: finds error:found for (thursday); exhausts; failures = 1
-module(tables_of_constants).
-export([clauses/1, tuple/1, list/1, member/1, decode/1, words/1]).

-spec clauses(string()) -> integer().
clauses([A, B]) ->
    case digit(A) * 16 + digit(B) of
        16#C3 -> error(found);
        N -> N
    end;
clauses(_) ->
    0.

digit($0) -> 0;
digit($1) -> 1;
digit($2) -> 2;
digit($3) -> 3;
digit($4) -> 4;
digit($5) -> 5;
digit($6) -> 6;
digit($7) -> 7;
digit($8) -> 8;
digit($9) -> 9;
digit($a) -> 10;
digit($b) -> 11;
digit($c) -> 12;
digit($d) -> 13;
digit($e) -> 14;
digit($f) -> 15;
digit(_) -> 0.

-spec tuple(byte()) -> ok.
tuple(C) ->
    case element(C rem 16 + 1, {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p}) of
        d -> error(found);
        _ -> ok
    end.

-spec list(1..8) -> ok.
list(N) ->
    case lists:nth(N, [2, 3, 5, 7, 11, 13, 17, 19]) of
        5 -> error(found);
        _ -> ok
    end.

-spec member(byte()) -> separator.
member(C) ->
    case lists:member(C, " \t\n,;:|") of
        true -> separator;
        false -> error(other)
    end.

-spec decode(string()) -> ok.
decode(S) ->
    try base64:decode(S) of
        <<"hi!">> -> error(found);
        _ -> ok
    catch
        error:Reason when Reason =/= found -> ok
    end.

-spec words(atom()) -> ok.
words(Day) ->
    case number(Day) rem 7 of
        4 -> error(found);
        _ -> ok
    end.

number(monday) -> 1;
number(tuesday) -> 2;
number(wednesday) -> 3;
number(thursday) -> 4;
number(friday) -> 5;
number(saturday) -> 6;
number(sunday) -> 7;
number(holiday) -> 8;
number(_) -> 0.
