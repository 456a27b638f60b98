%% A text that is a certain word in any case.
%%! method("GeT") ==> error get
%%! method("PUT") ==> "put"
%%? method/1: finds error:get for ([G, E, T]) when G bor 32 =:= $g, E bor 32 =:= $e, T bor 32 =:= $t within 20 runs; failures = 1
-module(lowercase_text).
-export([method/1]).

-spec method([$A..$Z | $a..$z]) -> string().
method(S) ->
    case string:lowercase(S) of
        "get" -> error(get);
        Lower -> Lower
    end.
