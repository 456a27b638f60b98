%% F(...) with the wrong number of arguments is badarity too.
%%! none() ==> {badarity,[]}
%%! one()  ==> {badarity,[a]}
%%! two()  ==> {badarity,[a,b]}
-module(badarity_direct).
-export([none/0, one/0, two/0]).
none() -> F = make(1), check(fun() -> F() end, F).
one() -> F = make(0), check(fun() -> F(a) end, F).
two() -> F = make(1), check(fun() -> F(a, b) end, F).
make(0) -> fun() -> zero end;
make(1) -> fun(_) -> one end.
check(Call, F) -> try Call() catch error:{badarity, {F, Args}} -> {badarity, Args} end.
