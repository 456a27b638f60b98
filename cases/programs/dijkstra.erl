%% Shortest paths with a gb_set as queue.
%%! f(a) ==> [{a,0},{b,4},{c,3},{d,6}]
%%! f(d) ==> [{d,0}]
-module(dijkstra).
-export([f/1]).
graph() -> #{a => [{b, 7}, {c, 3}], b => [{d, 2}], c => [{b, 1}, {d, 8}], d => []}.
f(From) -> lists:sort(maps:to_list(loop(gb_sets:singleton({0, From}), #{}))).
loop(Queue, Done) ->
    case gb_sets:is_empty(Queue) of
        true -> Done;
        false ->
            {{D, N}, Q} = gb_sets:take_smallest(Queue),
            case Done of
                #{N := _} -> loop(Q, Done);
                #{} -> loop(lists:foldl(fun({M, W}, Acc) -> gb_sets:add({D + W, M}, Acc) end, Q, maps:get(N, graph())),
                    Done#{N => D})
            end
    end.
