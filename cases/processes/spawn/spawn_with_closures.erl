%% What a closure has captured is there in the new process, whatever its size and kind.
%%! moved(17)                                ==> true
%%! moved([a, "text", 1.5, {}, #{k => [v]}]) ==> true
%%! moved(<<1:3>>)                           ==> true
%%! big()                                    ==> {2001000,3000}
%%! function_in_message()                    ==> 43
-module(spawn_with_closures).
-export([moved/1, big/0, function_in_message/0]).
moved(Term) ->
    Me = self(),
    spawn(fun() -> Me ! {moved, Term, {copy, [Term]}} end),
    receive {moved, Same, {copy, [Same]}} -> Same =:= Term end.
big() ->
    Me = self(),
    List = lists:seq(1, 2000),
    Binary = binary:copy(<<"abc">>, 1000),
    spawn(fun() -> Me ! {lists:sum(List), byte_size(Binary), Binary} end),
    receive {Sum, Size, Binary} -> {Sum, Size} end.
function_in_message() ->
    Me = self(),
    Add = 3,
    P = spawn(fun() -> receive {From, F} -> From ! {self(), F(4)} end end),
    P ! {Me, fun(X) -> X * 10 + Add end},
    receive {P, Result} -> Result end.
