%% An exception in a receive clause leaves the other messages in place.
%%! f() ==> {oops,1,2,empty}
-module(mailbox_unchanged_by_errors).
-export([f/0]).
f() ->
    [self() ! M || M <- [1, bad, 2]],
    R = try receive bad -> error(oops) end catch error:E -> E end,
    {R, receive A -> A end, receive B -> B end, receive C -> C after 0 -> empty end}.
