%% spawn_request returns at once; a message tells what became of it.
%%! answered()                      ==> {true,ran}
%%! with_module()                   ==> ran
%%! monitored()                     ==> done
%%! linked()                        ==> normal
%%! own_tag()                       ==> true
%%! silent(no)                      ==> {ran,nothing}
%%! silent(error_only)              ==> {ran,nothing}
%%! bad_option()                    ==> {error,badopt}
%%! bad_option_silent(no)           ==> nothing
%%! bad_option_silent(success_only) ==> nothing
%%! abandoned_late()                ==> {false,ok}
%%! abandon(make_ref())             ==> false
%%! abandon(x)                      ==> error badarg
-module(spawn_requests).
-export([answered/0, with_module/0, monitored/0, linked/0, own_tag/0, silent/1, bad_option/0, bad_option_silent/1,
         abandoned_late/0, abandon/1, tell/2]).
tell(To, What) -> To ! {self(), What}.
answered() ->
    Me = self(),
    Id = spawn_request(fun() -> tell(Me, ran) end),
    receive {spawn_reply, Id, ok, P} -> receive {P, What} -> {is_reference(Id), What} end end.
with_module() ->
    Id = spawn_request(?MODULE, tell, [self(), ran]),
    receive {spawn_reply, Id, ok, P} -> receive {P, What} -> What end end.
monitored() ->
    Id = spawn_request(fun() -> exit(done) end, [monitor]),
    receive {spawn_reply, Id, ok, P} -> receive {'DOWN', Id, process, P, Why} -> Why end end.
linked() ->
    process_flag(trap_exit, true),
    Id = spawn_request(node(), ?MODULE, tell, [self(), ran], [link]),
    receive {spawn_reply, Id, ok, P} -> receive {'EXIT', P, Why} -> Why end end.
own_tag() ->
    Id = spawn_request(fun() -> ok end, [{reply_tag, {my, 1}}]),
    receive {{my, 1}, Id, ok, P} -> is_pid(P) end.
silent(Reply) ->
    Me = self(),
    spawn_request(fun() -> tell(Me, ran) end, [{reply, Reply}]),
    Ran = receive {_, ran} -> ran end,
    {Ran, receive Message -> element(1, Message) after 0 -> nothing end}.
bad_option() ->
    Id = spawn_request(fun() -> ok end, [no_such_option]),
    receive {spawn_reply, Id, Result, What} -> {Result, What} after 0 -> nothing end.
bad_option_silent(Reply) ->
    Id = spawn_request(fun() -> ok end, [{reply, Reply}, no_such_option]),
    receive {spawn_reply, Id, Result, What} -> {Result, What} after 0 -> nothing end.
abandoned_late() ->
    Id = spawn_request(fun() -> ok end),
    Early = spawn_request_abandon(Id),
    {Early, receive {spawn_reply, Id, Result, _} -> Result after 0 -> nothing end}.
abandon(X) -> spawn_request_abandon(X).
