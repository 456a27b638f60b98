%% queue from both ends.
%%! f() ==> {0,2,[1],3,{value,0},{empty,{[],[]}},true}
%%! g() ==> {[1,3,2],true}
%%! h() ==> error empty
-module(queues).
-export([f/0, g/0, h/0]).
f() ->
    Q = queue:in_r(0, queue:in(2, queue:in(1, queue:new()))),
    {{value, X}, Q2} = queue:out(Q),
    {{value, Y}, Q3} = queue:out_r(Q2),
    {X, Y, queue:to_list(Q3), queue:len(Q), queue:peek(Q), queue:out(queue:new()), queue:member(1, Q)}.
g() -> {queue:to_list(queue:join(queue:from_list([1]), queue:reverse(queue:from_list([2, 3])))), queue:is_empty(queue:new())}.
h() -> queue:head(queue:new()).
