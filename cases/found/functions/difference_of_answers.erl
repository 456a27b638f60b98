%% Two answers of one function must differ by one, and one of them is four.
%%? unit/1: finds error:bug within 6 runs; failures = 1; exhausts
-module(difference_of_answers).
-export([unit/1]).

-spec unit(fun((integer()) -> integer())) -> ok.
unit(F) ->
    case F(1) - F(0) =:= 1 andalso F(0) =:= 4 of
        true -> error(bug);
        false -> ok
    end.
