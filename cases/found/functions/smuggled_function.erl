%% What an input was given in one call it may need in the next, where it is given nothing but its own answer.
%%? any/1: finds error:bug
%%? inside/1: finds error:bug; finds error:{badmatch,_}
%%? declared/1: finds error:bug; failures = 1
-module(smuggled_function).
-export([any/1, inside/1, declared/1]).

any(F) when is_function(F, 2) ->
    put(armed, false),
    Answer = F(0, fun trap/1),
    put(armed, true),
    F(1, Answer).

inside(F) when is_function(F, 2) ->
    put(armed, false),
    {kept, Answer} = F(0, fun trap/1),
    put(armed, true),
    F(1, [Answer]).

-spec declared(fun((integer(), any()) -> any())) -> any().
declared(F) ->
    put(armed, false),
    Answer = F(0, fun trap/1),
    put(armed, true),
    F(1, {it, Answer}).

trap(5) ->
    case get(armed) of
        true -> error(bug);
        false -> no
    end;
trap(_) -> no.
