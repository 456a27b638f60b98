%% Each process has a dictionary of its own.
%%! f()                 ==> {undefined,theirs,mine}
%%! erased()            ==> {[],1,1}
%%! seen_from_outside() ==> {dictionary,[{x,[1]}]}
-module(dictionary_per_process).
-export([f/0, erased/0, seen_from_outside/0]).
f() ->
    Me = self(),
    put(key, mine),
    P = spawn(fun() -> Before = get(key), put(key, theirs), Me ! {self(), Before, get(key)} end),
    receive {P, Before, After} -> {Before, After, get(key)} end.
erased() ->
    Me = self(),
    put(a, 1),
    P = spawn(fun() -> put(a, 2), put(b, 3), erase(), Me ! {self(), get()} end),
    receive {P, Theirs} -> {Theirs, get(a), erase(a)} end.
seen_from_outside() ->
    Me = self(),
    P = spawn(fun() -> put(x, [1]), Me ! {self(), ready}, receive stop -> ok end end),
    receive {P, ready} -> process_info(P, dictionary) end.
