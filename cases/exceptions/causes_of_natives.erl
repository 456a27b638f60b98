%% Native functions tell the cause of an error where their arguments do not. Modules that every runtime has have no lines.
%%! place(fun() -> timer(x) end)                       ==> {badarg,erlang,send_after,3,[{error_info,#{cause => time,module => erl_erts_errors}}]}
%%! place(fun() -> timer(-1) end)                      ==> {badarg,erlang,send_after,3,[{error_info,#{cause => time,module => erl_erts_errors}}]}
%%! place(fun() -> name(undefined) end)                ==> {badarg,erlang,register,2,[{error_info,#{cause => none,module => erl_erts_errors}}]}
%%! place(fun() -> name(1) end)                        ==> {badarg,erlang,register,2,[{error_info,#{cause => none,module => erl_erts_errors}}]}
%%! place(fun() -> named_twice() end)                  ==> {badarg,erlang,register,2,[{error_info,#{cause => registered_name,module => erl_erts_errors}}]}
%%! place(fun() -> flag(x, true) end)                  ==> {badarg,erlang,process_flag,2,[{error_info,#{cause => badopt,module => erl_erts_errors}}]}
%%! place(fun() -> flag(trap_exit, x) end)             ==> {badarg,erlang,process_flag,2,[{error_info,#{module => erl_erts_errors}}]}
%%! place(fun() -> flag(save_calls, -1) end)           ==> {badarg,erlang,process_flag,2,[{error_info,#{cause => none,module => erl_erts_errors}}]}
%%! place(fun() -> sent(causes_of_natives_nobody) end) ==> {badarg,erlang,send,2,[{error_info,#{module => erl_erts_errors}}]}
%%! place(fun() -> sent_with([x]) end)                 ==> {badarg,erlang,send,3,[{error_info,#{cause => badopt,module => erl_erts_errors}}]}
%%! place(fun() -> monitored(x) end)                   ==> {badarg,erlang,monitor,2,[{error_info,#{cause => badtype,module => erl_erts_errors}}]}
%%! place(fun() -> monitored_with([x]) end)            ==> {badarg,erlang,monitor,3,[{error_info,#{cause => badopt,module => erl_erts_errors}}]}
%%! place(fun() -> existing(<<"causes of natives: no such atom">>) end) ==> {badarg,erlang,binary_to_existing_atom,1,[{error_info,#{module => erl_erts_errors}}]}
%%! place(fun() -> binary(1) end)                      ==> {badarg,erlang,atom_to_binary,1,[{error_info,#{module => erl_erts_errors}}]}
%%! place(fun() -> counted(2) end)                     ==> {badarg,counters,get,2,[{error_info,#{module => erl_erts_errors}}]}
%%! place(fun() -> started(x) end)                     ==> {badarg,erlang,spawn,1,[{error_info,#{module => erl_erts_errors}}]}
-module(causes_of_natives).
-export([place/1, timer/1, name/1, named_twice/0, flag/2, sent/1, sent_with/1, monitored/1, monitored_with/1, existing/1,
         binary/1, counted/1, started/1]).

place(F) ->
    try F()
    catch
        error:Reason:Stack ->
            [{Module, Function, Args, Place} | _] = Stack,
            {Reason, Module, Function, length(Args), Place}
    end.

timer(Time) -> [erlang:send_after(Time, self(), x)].

name(Name) -> [register(Name, self())].

named_twice() ->
    true = register(causes_of_natives_one, self()),
    try [register(causes_of_natives_other, self())]
    after unregister(causes_of_natives_one)
    end.

flag(Flag, Value) -> [process_flag(Flag, Value)].

sent(Name) -> [Name ! x].

sent_with(Options) -> [erlang:send(self(), x, Options)].

monitored(Kind) -> [erlang:monitor(Kind, self())].

monitored_with(Options) -> [erlang:monitor(process, self(), Options)].

existing(Text) -> [binary_to_existing_atom(Text)].

binary(X) -> [atom_to_binary(X)].

counted(Index) -> [counters:get(counters:new(1, []), Index)].

started(Function) -> [spawn(Function)].
