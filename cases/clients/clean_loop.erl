%% A plain process that keeps a set of numbers. Its clients see when it has ended, and say so.
%%? client: clean
-module(clean_loop).
-export([start/0, add/2, has/2, smallest/1, stop/1]).

-spec start() -> pid().
start() -> spawn(fun() -> loop([]) end).

-spec add(pid(), integer()) -> ok | {error, stopped}.
add(Set, N) -> ask(Set, {add, N}).

-spec has(pid(), integer()) -> boolean() | {error, stopped}.
has(Set, N) -> ask(Set, {has, N}).

-spec smallest(pid()) -> integer() | none | {error, stopped}.
smallest(Set) -> ask(Set, smallest).

-spec stop(pid()) -> ok | {error, stopped}.
stop(Set) -> ask(Set, stop).

ask(Set, Request) ->
    Ref = monitor(process, Set),
    Set ! {?MODULE, self(), Ref, Request},
    receive
        {Ref, Answer} -> demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, _, _} -> {error, stopped}
    end.

loop(Numbers) ->
    receive
        {?MODULE, From, Ref, {add, N}} -> From ! {Ref, ok}, loop(lists:usort([N | Numbers]));
        {?MODULE, From, Ref, {has, N}} -> From ! {Ref, lists:member(N, Numbers)}, loop(Numbers);
        {?MODULE, From, Ref, smallest} when Numbers =:= [] -> From ! {Ref, none}, loop(Numbers);
        {?MODULE, From, Ref, smallest} -> From ! {Ref, hd(Numbers)}, loop(Numbers);
        {?MODULE, From, Ref, stop} -> From ! {Ref, ok}
    end.
