%% From numbers and atoms to texts, and back.
%%! digits(37)        ==> error {ends_in_seven,37}
%%! named(ok)         ==> error ok
%%! made("yes")       ==> error yes
%%! float_text("2.5") ==> error half
%%? digits/1: finds error:{ends_in_seven,N} for (N) when N rem 10 =:= 7; failures = 1
%%? named/1: finds error:ok for (ok); failures = 1
%%? named_bytes/1: finds error:go for (go); failures = 1
%%? made/1 with max 100: finds error:yes for ("yes"); finds error:system_limit for (L) when length(L) > 255; failures = 2; exhausts
%%? text/1: finds error:minus for (N) when N < 0; failures = 1
%%? float_text/1 with max 100: finds error:half for (_); finds error:badarg; failures = 2
-module(texts_of_things).
-export([digits/1, named/1, named_bytes/1, made/1, text/1, float_text/1]).

-spec digits(0..99) -> string().
digits(N) ->
    case lists:last(integer_to_list(N)) of
        $7 -> error({ends_in_seven, N});
        _ -> integer_to_list(N)
    end.

-spec named(atom()) -> string().
named(A) ->
    case atom_to_list(A) of
        "ok" -> error(ok);
        Text -> Text
    end.

-spec named_bytes(atom()) -> binary().
named_bytes(A) ->
    case atom_to_binary(A, utf8) of
        <<"go">> -> error(go);
        Text -> Text
    end.

-spec made([$a..$z]) -> atom().
made(Text) ->
    case list_to_atom(Text) of
        yes -> error(yes);
        A -> A
    end.

-spec text(-99..99) -> binary().
text(N) ->
    case integer_to_binary(N) of
        <<"-", _/binary>> -> error(minus);
        B -> B
    end.

-spec float_text([$0..$9 | $.]) -> float().
float_text(Text) ->
    case list_to_float(Text) of
        2.5 -> error(half);
        F -> F
    end.
