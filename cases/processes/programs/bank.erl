%% Accounts are processes; a transfer asks two of them in turn and gives money back if it fails.
%%! transfers() ==> {ok,ok,150,0}
%%! overdrawn() ==> {{failed,{error,10}},10,0}
%%! closed()    ==> {5,{failed,{down,noproc}},10}
-module(bank).
-export([transfers/0, overdrawn/0, closed/0]).
account(Balance) ->
    receive
        {From, Ref, {add, X}} when Balance + X >= 0 -> From ! {Ref, {ok, Balance + X}}, account(Balance + X);
        {From, Ref, {add, _}} -> From ! {Ref, {error, Balance}}, account(Balance);
        {From, Ref, balance} -> From ! {Ref, Balance}, account(Balance);
        {From, Ref, close} -> From ! {Ref, Balance}
    end.
call(P, Request) ->
    R = monitor(process, P),
    P ! {self(), R, Request},
    receive
        {R, Answer} -> demonitor(R, [flush]), Answer;
        {'DOWN', R, _, _, Why} -> {down, Why}
    end.
transfer(From, To, X) ->
    case call(From, {add, -X}) of
        {ok, _} ->
            case call(To, {add, X}) of
                {ok, _} -> ok;
                Failed -> {ok, _} = call(From, {add, X}), {failed, Failed}
            end;
        Failed -> {failed, Failed}
    end.
open(X) -> spawn_link(fun() -> account(X) end).
transfers() ->
    [A, B] = [open(100), open(50)],
    {transfer(A, B, 30), transfer(B, A, 80), call(A, balance), call(B, balance)}.
overdrawn() -> [A, B] = [open(10), open(0)], {transfer(A, B, 30), call(A, balance), call(B, balance)}.
closed() -> [A, B] = [open(10), open(5)], {call(B, close), transfer(A, B, 4), call(A, balance)}.
