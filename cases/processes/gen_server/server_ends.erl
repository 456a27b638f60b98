%% How a server ends: stop with and without a reply, exceptions, bad returns; terminate sees the reason.
%%! ended({stop, normal, bye})                    ==> {bye,{normal,normal}}
%%! ended({stop, broken, bye})                    ==> {bye,{broken,broken}}
%%! ended({stop, normal})                         ==> {{exit,normal},{normal,normal}}
%%! ended({stop, {shutdown, x}})                  ==> {{exit,{shutdown,x}},{{shutdown,x},{shutdown,x}}}
%%! ended({raise, error, bug})                    ==> {{exit,{bug,stack}},{{bug,stack},{bug,[]}}}
%%! ended({raise, exit, quit})                    ==> {{exit,quit},{quit,quit}}
%%! ended({raise, throw, {reply, thrown, state}}) ==> {thrown,true}
%%! ended({raise, throw, ball})                   ==> {{exit,{bad_return_value,ball}},{{bad_return_value,ball},{bad_return_value,ball}}}
%%! ended(nonsense)                               ==> {{exit,{bad_return_value,nonsense}},{{bad_return_value,nonsense},{bad_return_value,nonsense}}}
%%! ended(no_clause)                              ==> {{exit,{function_clause,stack}},{{function_clause,stack},{function_clause,stack}}}
%%! cast({stop, normal})                          ==> {normal,normal}
%%! cast({raise, error, bug})                     ==> {{bug,stack},{bug,[]}}
%%! cast(nonsense)                                ==> {{bad_return_value,nonsense},{bad_return_value,nonsense}}
%%! message({stop, shutdown})                     ==> {shutdown,shutdown}
-module(server_ends).
-behaviour(gen_server).
-export([ended/1, cast/1, message/1, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
init(To) -> {ok, To}.
handle_call({stop, Why, Reply}, _, S) -> {stop, Why, Reply, S};
handle_call({stop, Why}, _, S) -> {stop, Why, S};
handle_call({raise, Class, Why}, _, _) -> erlang:raise(Class, Why, []);
handle_call(nonsense, _, _) -> nonsense.
handle_cast({stop, Why}, S) -> {stop, Why, S};
handle_cast({raise, Class, Why}, _) -> erlang:raise(Class, Why, []);
handle_cast(nonsense, _) -> nonsense.
handle_info({stop, Why}, S) -> {stop, Why, S}.
terminate(Why, S) -> S ! {terminated, short(Why), S =:= state}.
short({Why, [Frame | _]}) when is_tuple(Frame) -> {Why, stack};
short(Why) -> Why.
ended(Request) ->
    {ok, P} = gen_server:start(?MODULE, self(), []),
    R = monitor(process, P),
    Result = try gen_server:call(P, Request)
             catch exit:{Why, {gen_server, call, [P, Request]}} -> {exit, short(Why)}
             end,
    case Result of
        thrown -> {thrown, is_process_alive(P)};
        _ -> {Result, over(R)}
    end.
cast(Request) ->
    {ok, P} = gen_server:start(?MODULE, self(), []),
    R = monitor(process, P),
    gen_server:cast(P, Request),
    over(R).
message(Message) ->
    {ok, P} = gen_server:start(?MODULE, self(), []),
    R = monitor(process, P),
    P ! Message,
    over(R).
over(R) ->
    receive {'DOWN', R, _, _, Why} -> {short(Why), receive {terminated, Seen, _} -> Seen after 0 -> not_called end} end.
