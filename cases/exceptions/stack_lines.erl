%% Stack entries carry the line of the call.
%%! f(2) ==> [{k,15},{h,13},{g,10}]
-module(stack_lines).
-export([f/1]).
f(N) ->
    try g(N) catch error:here:Stack ->
        [{F, proplists:get_value(line, Where)} || {?MODULE, F, _, Where} <- lists:sublist(Stack, 3)]
    end.
g(N) ->
    {h(N), outer}.
h(N) ->
    _ = N,
    {k(N), inner}.
k(N) when N < 10 ->
    error(here);
k(N) ->
    N.
