%% A list of printable characters prints as a string, others as lists.
%%! ["abc", [97, 98 | c], [0], [1, 2], "\n\t", "é", [8364], [], [[]], "a\"b", [97, 256], [127]] ==> ["abc",[97,98|c],[0],[1,2],"\n\t","é",[8364],[],[[]],"a\"b",[97,256],[127]]
%%! f() ==> [true,false,true,false,true]
-module(printing_of_lists).
-export([f/0]).
f() -> [io_lib:printable_list(L) || L <- ["abc", [0], "é", [8364], []]].
