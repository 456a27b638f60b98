%% Stresses put, get and erase: a memo table and counters in the process dictionary.
-module(process_dictionary).
-export([main/1, size/0]).

size() -> 4500000.

main(N) ->
    put(count, 0),
    loop(N),
    Longest = lists:max([get({length, K}) || K <- lists:seq(1, 999)]),
    Result = {get(count), Longest},
    erase(),
    Result.

loop(0) -> ok;
loop(N) ->
    put(count, (get(count) + collatz(N rem 1000 + 1)) band 16#ffffff),
    loop(N - 1).

collatz(1) -> put({length, 1}, 1), 1;
collatz(N) ->
    case get({length, N}) of
        undefined ->
            Length = 1 + collatz(if N rem 2 =:= 0 -> N div 2; true -> 3 * N + 1 end),
            put({length, N}, Length),
            Length;
        Length -> Length
    end.
