%% Loops whose results are compared: a walk through their iterations would be long.
-module(loops).
-export([hard/2, roman/1, depth/1, hashed/1]).

%% The loop subtracts 1 for even I and adds 17 for odd I: the sum is 8192 after 1,024 rounds.
-spec hard(non_neg_integer(), float()) -> atom().
hard(X, U) ->
    case loop(0, X, 0) of
        8192 ->
            case math:sin(U) > 0.0 of
                true -> found; %! reached 25 100
                false -> other
            end;
        _ -> other
    end.

loop(I, X, Sum) when I >= X -> Sum;
loop(I, X, Sum) when I rem 2 =:= 0 -> loop(I + 1, X, Sum - 1);
loop(I, X, Sum) -> loop(I + 1, X, Sum + 17).

-spec roman([i | v | x | l | c | d | m]) -> boolean().
roman(Digits) ->
    case sum(Digits, 0) of
        1752 -> true; %! reached
        _ -> false
    end.

sum([], Sum) -> Sum;
sum([Digit | Rest], Sum) -> sum(Rest, Sum + worth(Digit)).

worth(i) -> 1;
worth(v) -> 5;
worth(x) -> 10;
worth(l) -> 50;
worth(c) -> 100;
worth(d) -> 500;
worth(m) -> 1000.

-spec depth([open | close | word]) -> deep | flat.
depth(Tokens) ->
    case deepest(Tokens, 0, 0) of
        10 -> deep; %! reached
        _ -> flat
    end.

deepest([], _, Most) -> Most;
deepest([open | Rest], Depth, Most) -> deepest(Rest, Depth + 1, max(Most, Depth + 1));
deepest([close | Rest], Depth, Most) when Depth > 0 -> deepest(Rest, Depth - 1, Most);
deepest([_ | Rest], Depth, Most) -> deepest(Rest, Depth, Most).

-spec hashed({integer(), integer()}) -> yes | no.
hashed({Key, Check}) ->
    case erlang:phash2(Key) =:= Check of
        true -> yes; %! reached
        false -> no
    end.
