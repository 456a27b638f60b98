%% The reason of a process that died of an error has the stack, from where it happened down to its first function.
%%! end_of(fun stacks_of_the_dead:divide/1, 0) ==> {badarith,[{erlang,'div',[10,0],false},{stacks_of_the_dead,divide,1,true}]}
%%! end_of(fun stacks_of_the_dead:match/1, 2)  ==> {{badmatch,{error,2}},[{stacks_of_the_dead,match,1,true}]}
%%! end_of(fun stacks_of_the_dead:clause/1, x) ==> {function_clause,[{stacks_of_the_dead,clause,[x],true}]}
%%! end_of(fun stacks_of_the_dead:ball/1, 1)   ==> {{nocatch,{ball,1}},[{stacks_of_the_dead,ball,1,true}]}
%%! end_of(fun stacks_of_the_dead:deep/1, 3)   ==> {bottom,[{stacks_of_the_dead,deep,1,true},{stacks_of_the_dead,deep,1,true}]}
%%! arguments()                                ==> {stacks_of_the_dead,[a,b]}
-module(stacks_of_the_dead).
-export([end_of/2, divide/1, match/1, clause/1, ball/1, deep/1, arguments/0]).
divide(X) -> Y = 10 div X, {y, Y}.
match(X) -> {ok, Y} = {error, X}, {y, Y}.
clause(X) when is_integer(X) -> X.
ball(X) -> throw({ball, X}).
deep(-1) -> 0;
deep(0) -> error(bottom);
deep(N) -> 1 + deep(N - 1).
end_of(F, X) ->
    {module, M} = erlang:fun_info(F, module),
    {name, Name} = erlang:fun_info(F, name),
    {_, R} = spawn_monitor(M, Name, [X]),
    receive {'DOWN', R, _, _, {Why, Stack}} -> {Why, [frame(Frame) || Frame <- Stack]} end.
frame({M, F, A, Location}) -> {M, F, A, proplists:is_defined(line, Location)}.
arguments() ->
    {_, R} = spawn_monitor(fun() -> error(wrong, [a, b]) end),
    receive {'DOWN', R, _, _, {wrong, [{M, _, Args, _} | _]}} -> {M, Args} end.
