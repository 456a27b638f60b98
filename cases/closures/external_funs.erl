%% fun M:F/A is a value: it prints, compares and applies by name.
%%! f()                  ==> {fun lists:sum/1,6,true}
%%! g(lists, reverse, 1) ==> {fun lists:reverse/1,[2,1]}
%%! equal()              ==> {true,false}
%%! missing()            ==> {true,undef}
%%! exported(3)          ==> 9
-module(external_funs).
-export([f/0, g/3, equal/0, missing/0, exported/1, triple/1]).
f() -> F = fun lists:sum/1, {F, F([1, 2, 3]), is_function(F, 1)}.
g(M, F, A) -> Fun = fun M:F/A, {Fun, Fun([1, 2])}.
equal() -> {fun lists:map/2 =:= fun lists:map/2, fun lists:map/2 == fun lists:map/3}.
missing() -> F = fun lists:no_such_function/1, {is_function(F, 1), catch_reason(fun() -> F(1) end)}.
catch_reason(F) -> try F() catch error:R -> R end.
triple(X) -> 3 * X.
exported(X) -> (fun ?MODULE:triple/1)(X).
