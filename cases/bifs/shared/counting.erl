%% Counters and atomics are 64-bit integers that wrap around.
%%! counters([])                  ==> {[5,-7,9],3}
%%! counters([write_concurrency]) ==> {[5,-7,9],3}
%%! counters([foo])               ==> error badarg
%%! signed(true)                  ==> {-9223372036854775808,9223372036854775807,-9223372036854775808,9223372036854775807,{error,badarg},{error,badarg}}
%%! signed(false)                 ==> {0,18446744073709551615,0,18446744073709551615,{error,badarg},{error,badarg}}
%%! exchanging()                  ==> {0,ok,20,20,0}
%%! sizes(0)                      ==> {{error,badarg},{error,badarg}}
%%! sizes(-1)                     ==> {{error,badarg},{error,badarg}}
%%! sizes(a)                      ==> {{error,badarg},{error,badarg}}
%%! beyond(0)                     ==> {error,badarg}
%%! beyond(4)                     ==> {error,badarg}
%%! beyond(x)                     ==> {error,badarg}
-module(counting).
-export([counters/1, signed/1, exchanging/0, sizes/1, beyond/1]).
counters(Options) ->
    C = counters:new(3, Options),
    ok = counters:add(C, 1, 5), ok = counters:sub(C, 2, 7), ok = counters:put(C, 3, 9),
    {[counters:get(C, I) || I <- [1, 2, 3]], maps:get(size, counters:info(C))}.
signed(Signed) ->
    A = atomics:new(1, [{signed, Signed}]),
    #{min := Min, max := Max} = atomics:info(A),
    ok = atomics:put(A, 1, Max),
    {Min, Max, atomics:add_get(A, 1, 1), atomics:sub_get(A, 1, 1), catch_reason(fun() -> atomics:put(A, 1, Max + 1) end),
     catch_reason(fun() -> atomics:put(A, 1, Min - 1) end)}.
exchanging() ->
    A = atomics:new(2, []),
    {atomics:exchange(A, 1, 10), atomics:compare_exchange(A, 1, 10, 20), atomics:compare_exchange(A, 1, 10, 30),
     atomics:get(A, 1), atomics:get(A, 2)}.
sizes(N) -> {catch_reason(fun() -> atomics:new(N, []) end), catch_reason(fun() -> counters:new(N, []) end)}.
beyond(I) -> A = atomics:new(3, []), catch_reason(fun() -> atomics:get(A, I) end).
catch_reason(F) -> try F() catch Class:Reason -> {Class, Reason} end.
