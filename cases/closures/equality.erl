%% A fun equals itself, and not another fun; two closures of one place compare by what they captured.
%%! itself()   ==> {true,true,false}
%%! captured() ==> {true,false}
%%! kinds()    ==> {false,false}
-module(equality).
-export([itself/0, captured/0, kinds/0]).
itself() -> F = fun(X) -> X end, {F =:= F, [F] == [F], F =:= fun(X) -> X end}.
captured() -> {make(1) =:= make(1), make(1) =:= make(2)}.
make(N) -> fun() -> N end.
kinds() -> {fun lists:map/2 =:= fun() -> ok end, (fun() -> ok end) == ok}.
