%% Two receives, one after another, make priorities.
%%! f() ==> [2,4,1,3]
-module(priority_mailbox).
-export([f/0]).
f() ->
    [self() ! M || M <- [{low, 1}, {high, 2}, {low, 3}, {high, 4}]],
    important().
important() -> receive {high, X} -> [X | important()] after 0 -> normal() end.
normal() -> receive {_, X} -> [X | normal()] after 0 -> [] end.
