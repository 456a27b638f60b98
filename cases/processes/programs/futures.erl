%% Futures: computed elsewhere, asked for once or several times, with the exception of the other side.
%%! value()        ==> 5050
%%! asked_twice()  ==> true
%%! raises()       ==> {error,badarg}
%%! in_any_order() ==> {9,1,4}
%%! too_slow()     ==> exit too_slow
-module(futures).
-export([value/0, asked_twice/0, raises/0, in_any_order/0, too_slow/0]).
future(F) ->
    spawn(fun() ->
        Result = try {value, F()} catch Class:Why -> {raised, Class, Why} end,
        keep(Result)
    end).
keep(Result) -> receive {ask, From, Ref} -> From ! {Ref, Result}, keep(Result) end.
await(P) -> await(P, infinity).
await(P, Time) ->
    Ref = make_ref(),
    P ! {ask, self(), Ref},
    receive
        {Ref, {value, V}} -> V;
        {Ref, {raised, Class, Why}} -> erlang:raise(Class, Why, [])
    after Time -> exit(too_slow)
    end.
value() -> await(future(fun() -> lists:sum(lists:seq(1, 100)) end)).
asked_twice() -> F = future(fun() -> make_ref() end), await(F) =:= await(F).
raises() -> F = future(fun() -> hd([]) end), try await(F) catch Class:Why -> {Class, Why} end.
in_any_order() -> [A, B, C] = [future(fun() -> X * X end) || X <- [1, 2, 3]], {await(C), await(A), await(B)}.
too_slow() -> await(future(fun() -> receive never -> ok end end), 20).
