%% A list of instructions is run on a stack that may be too small.
%%! run([{push, 2}, {push, 3}, add])    ==> [5]
%%! run([add])                          ==> error {underflow,add}
%%! run([{push, 1}, {push, 0}, divide]) ==> error badarith
%%? run/1 with bound 4, max 800: finds error:{underflow,_} for ([_|_]); finds error:badarith for ([_|_]); failures >= 2
-module(stack_machine).
-export([run/1]).

-type instruction() :: {push, integer()} | add | divide | swap.

-spec run([instruction()]) -> [integer()].
run(Instructions) -> lists:foldl(fun step/2, [], Instructions).

step({push, N}, Stack) -> [N | Stack];
step(add, [A, B | Stack]) -> [A + B | Stack];
step(divide, [A, B | Stack]) -> [B div A | Stack];
step(swap, [A, B | Stack]) -> [B, A | Stack];
step(Instruction, _) -> error({underflow, Instruction}).
