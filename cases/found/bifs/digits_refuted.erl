%% Integers and their digits, in both directions: lengths and characters that no number has are refuted.
%%! width(1234)      ==> ok
%%! first(-5)        ==> ok
%%! parsed("17")     ==> error seventeen
%%! leading(105)     ==> error five
%%! read(<<"42">>)   ==> error answer
%%? width/1: clean; exhausts
%%? first/1: clean; exhausts
%%? leading/1: finds error:five for (N) when N >= 100, N rem 10 =:= 5; failures = 1; exhausts
%%? parsed/1: finds error:seventeen for ([$1, $7]); failures = 1
%%? read/1: finds error:answer for (<<"42">>); failures = 1; exhausts
%%? name/1: finds error:short for (a); failures = 1; exhausts
-module(digits_refuted).
-export([width/1, first/1, leading/1, parsed/1, read/1, name/1]).

-spec width(1000..9999) -> ok.
width(N) ->
    case length(integer_to_list(N)) of
        4 -> ok;
        _ -> error(width)
    end.

-spec first(-9..9) -> ok.
first(N) ->
    case integer_to_list(N) of
        [$-, _] when N >= 0 -> error(sign);
        [$0] when N =/= 0 -> error(zero);
        [_] -> ok;
        [$- | _] -> ok
    end.

-spec leading(100..199) -> ok.
leading(N) ->
    case integer_to_list(N) of
        [$1, _, $5] when N >= 100 -> error(five);
        [$1 | _] -> ok;
        _ -> error(leading)
    end.

-spec parsed([$0..$9]) -> ok.
parsed([A, B]) ->
    case list_to_integer([A, B]) of
        17 -> error(seventeen);
        N when N > 99 -> error(large);
        N when N < 0 -> error(negative);
        _ -> ok
    end;
parsed(_) -> ok.

-spec read(<<_:16>>) -> ok.
read(<<A, B>> = Text) when A >= $0, A =< $9, B >= $0, B =< $9 ->
    case binary_to_integer(Text) of
        42 -> error(answer);
        N when N > 99 -> error(large);
        _ -> ok
    end;
read(_) -> ok.

-spec name(a | bc | def) -> ok.
name(A) ->
    case length(atom_to_list(A)) of
        1 -> error(short);
        N when N > 3 -> error(long);
        _ -> ok
    end.
