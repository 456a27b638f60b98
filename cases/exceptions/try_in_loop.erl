%% A try in each round of a loop; the loop itself is outside it.
%%! f([1, 0, a, 2]) ==> [10,zero,badarith,5]
%%! count(100000)   ==> 50000
-module(try_in_loop).
-export([f/1, count/1]).
f([]) -> [];
f([H | T]) ->
    R = try 10 div H catch error:badarith when H =:= 0 -> zero; error:E -> E end,
    [R | f(T)].
count(N) -> count(N, 0).
count(0, Acc) -> Acc;
count(N, Acc) ->
    Next = try maybe_throw(N) catch throw:odd -> Acc + 1 end,
    count(N - 1, max(Next, Acc)).
maybe_throw(N) when N rem 2 =:= 1 -> throw(odd);
maybe_throw(_) -> 0.
