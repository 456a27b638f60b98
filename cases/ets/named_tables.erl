%% A named table is reached by its name; another of the name is badarg.
%%! f() ==> {[{k,v}],badarg,undefined}
%%! g() ==> error badarg
-module(named_tables).
-export([f/0, g/0]).
f() ->
    a_table_of_this_case = ets:new(a_table_of_this_case, [named_table]),
    ets:insert(a_table_of_this_case, {k, v}),
    R = ets:lookup(a_table_of_this_case, k),
    Again = try ets:new(a_table_of_this_case, [named_table]) catch error:E -> E end,
    ets:delete(a_table_of_this_case),
    {R, Again, ets:whereis(a_table_of_this_case)}.
g() -> ets:lookup(no_such_table_at_all, k).
