%% A receive inside a clause of another.
%%! f() ==> {stopped,1,[{data,2}]}
-module(nested_receive).
-export([f/0]).
f() ->
    [self() ! M || M <- [{data, 2}, {start, 1}, {data, 1}, stop]],
    receive
        {start, K} ->
            receive {data, K} -> receive stop -> {stopped, K, flush()} after 0 -> running end end
    end.
flush() -> receive M -> [M | flush()] after 0 -> [] end.
