%% A text that is a certain number.
%%! number("48213") ==> error found
%%! number("x")     ==> error badarg
%%! bytes(<<"-7">>) ==> error minus_seven
%%? number/1: finds error:found for (S) when length(S) >= 5 within 20 runs; finds error:badarg; failures = 2
%%? bytes/1: finds error:minus_seven for (<<"-", _/binary>>) within 20 runs; finds error:badarg; failures = 2
-module(number_in_text).
-export([number/1, bytes/1]).

-spec number(string()) -> integer().
number(S) ->
    case list_to_integer(S) of
        48213 -> error(found);
        N -> N
    end.

-spec bytes(binary()) -> integer().
bytes(B) ->
    case binary_to_integer(B) of
        -7 -> error(minus_seven);
        N -> N
    end.
