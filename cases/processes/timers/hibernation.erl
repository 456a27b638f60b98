%% hibernate forgets the stack and goes on in the given function with the next message.
%%! woken()            ==> {{first,hello},{slept,hello}}
%%! message_is_there() ==> {slept,early}
%%! stack_is_gone()    ==> {slept,go,normal,nothing}
%%! dictionary_stays() ==> {value,{messages,[go]}}
%%! by_proc_lib()      ==> {slept,hello}
-module(hibernation).
-export([woken/0, message_is_there/0, stack_is_gone/0, dictionary_stays/0, by_proc_lib/0, awake/2, kept/1]).
awake(To, What) -> receive M -> To ! {self(), What, M} end.
woken() ->
    P = spawn(?MODULE, awake, [self(), first]),
    Q = spawn(erlang, hibernate, [?MODULE, awake, [self(), slept]]),
    [X ! hello || X <- [P, Q]],
    {receive {P, A, B} -> {A, B} end, receive {Q, C, D} -> {C, D} end}.
message_is_there() ->
    Me = self(),
    P = spawn(fun() -> self() ! early, erlang:hibernate(?MODULE, awake, [Me, slept]) end),
    receive {P, A, B} -> {A, B} end.
stack_is_gone() ->
    Me = self(),
    {P, R} = spawn_monitor(fun() ->
        try erlang:hibernate(?MODULE, awake, [Me, slept]), Me ! went_on
        catch _:_ -> Me ! caught
        after Me ! after_ran
        end
    end),
    P ! go,
    receive {P, A, B} -> receive {'DOWN', R, _, _, Why} -> {A, B, Why, receive M -> M after 0 -> nothing end} end end.
dictionary_stays() ->
    Me = self(),
    P = spawn(fun() -> put(key, value), erlang:hibernate(?MODULE, kept, [Me]) end),
    P ! go,
    receive {P, Found} -> Found end.
kept(To) -> To ! {self(), {get(key), process_info(self(), messages)}}.
by_proc_lib() ->
    Me = self(),
    P = proc_lib:spawn(fun() -> proc_lib:hibernate(?MODULE, awake, [Me, slept]) end),
    P ! hello,
    receive {P, A, B} -> {A, B} end.
