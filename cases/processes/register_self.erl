%% A registered name stands for the process.
%%! f() ==> {hello,true,true,undefined}
%%! g() ==> error badarg
-module(register_self).
-export([f/0, g/0]).
f() ->
    true = register(a_name_for_this_case, self()),
    a_name_for_this_case ! hello,
    R = receive M -> M end,
    W = whereis(a_name_for_this_case) =:= self(),
    {R, W, unregister(a_name_for_this_case), whereis(a_name_for_this_case)}.
g() -> no_such_name_anywhere ! hello.
