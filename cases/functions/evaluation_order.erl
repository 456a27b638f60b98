%% Operands and arguments are evaluated from left to right.
%%! sum()         ==> {7,[1,2,3]}
%%! call()        ==> {[1,2],[[1],[2]]}
%%! map()         ==> {#{a => 2,b => 1},[b,1,a,2]}
%%! first_error() ==> {first,[1]}
-module(evaluation_order).
-export([sum/0, call/0, map/0, first_error/0]).
sum() -> start(), R = note(1) + note(2) * note(3), {R, trace()}.
call() -> start(), R = lists:append(note([1]), note([2])), {R, trace()}.
map() -> start(), R = #{note(b) => note(1), note(a) => note(2)}, {R, trace()}.
first_error() -> start(), C = (catch note(1) + fail(first) + fail(second)), {C, trace()}.
start() -> put(trace, []).
note(X) -> put(trace, [X | get(trace)]), X.
fail(Why) -> throw(Why).
trace() -> lists:reverse(get(trace)).
