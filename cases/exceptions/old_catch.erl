%% catch turns throws into values, exits into {'EXIT', R}, errors into {'EXIT', {R, Stack}}.
%%! f(value) ==> {value,1}
%%! f(throw) ==> {value,ball}
%%! f(exit)  ==> {exit,bye}
%%! f(error) ==> {error,oops,go}
%%! f(fake)  ==> {exit,fake}
-module(old_catch).
-export([f/1]).
f(K) ->
    case catch go(K) of
        {'EXIT', {Reason, Stack}} when is_list(Stack) -> {error, Reason, element(2, hd(Stack))};
        {'EXIT', Reason} -> {exit, Reason};
        Value -> {value, Value}
    end.
go(value) -> 1;
go(throw) -> throw(ball);
go(exit) -> exit(bye);
go(error) -> error(oops);
go(fake) -> {'EXIT', fake}.
