%% A result that is a function is applied: what goes wrong inside of it is found, and its range is checked.
%%? divider/1: finds error:badarith; failures = 1; exhausts
%%? adder/1: finds spec:_; failures = 1
%%? pair/1: finds error:second; failures = 1
%%? clean/1: clean; exhausts
-module(results_that_are_functions).
-export([divider/1, adder/1, pair/1, clean/1]).

-spec divider(integer()) -> fun((integer()) -> integer()).
divider(X) ->
    fun(Y) -> 100 div (X - Y + 3) end.

-spec adder(1..3) -> fun((0..5) -> 0..7).
adder(X) ->
    fun(Y) -> X + Y end.

-spec pair(integer()) -> {fun((integer()) -> ok), fun((integer()) -> ok)}.
pair(X) ->
    {fun(_) -> ok end,
     fun(Y) ->
         case Y - X of
             11 -> error(second);
             _ -> ok
         end
     end}.

-spec clean(boolean()) -> fun((boolean()) -> boolean()).
clean(X) ->
    fun(Y) -> X andalso Y end.
