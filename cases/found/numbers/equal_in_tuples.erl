%% Numbers inside of terms are compared by value with == and by kind with =:=.
%%! same({1.0}) ==> error float
%%! same({1})   ==> ok
%%! key(1, 1.0) ==> error {found,1.0}
%%? same/1: finds error:float for ({1.0}); failures = 1; exhausts
%%? key/2: finds error:{found,X} for (K, X) when K == X, K =/= X; failures = 1; exhausts
-module(equal_in_tuples).
-export([same/1, key/2]).

same(X) when X == {1}, X =/= {1} -> error(float);
same(_) -> ok.

%% keyfind compares with ==.
-spec key(number(), number()) -> ok.
key(K, X) ->
    case lists:keyfind(K, 1, [{X, a}]) of
        {Found, a} when Found =/= K -> error({found, Found});
        _ -> ok
    end.
