%% International standard book numbers of ten digits.
-module(isbn).
-export([check/1, from_text/1]).

-type isbn() :: [0..10].

%% The last digit is chosen so that the weighted sum is divisible by eleven. (Nobody looks at the length.)
-spec check(isbn()) -> ok | {error, wrong_digit}.
check(Digits) ->
    Weights = lists:seq(10, 1, -1),
    Sum = lists:sum([Digit * Weight || {Digit, Weight} <- lists:zip(Digits, Weights)]),
    case Sum rem 11 of
        0 -> ok;
        _ -> {error, wrong_digit}
    end.

%% "0-306-40615-2"; the last one may be an X.
-spec from_text(string()) -> {ok, isbn()} | {error, not_a_number}.
from_text(Text) ->
    Digits = [digit(Char) || Char <- Text, Char =/= $-],
    case lists:member(none, Digits) of
        true -> {error, not_a_number};
        false -> {ok, Digits}
    end.

digit(Char) when Char >= $0, Char =< $9 -> Char - $0;
digit($X) -> 10;
digit(Char) when Char < 128 -> none.
