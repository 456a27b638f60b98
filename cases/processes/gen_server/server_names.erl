%% Servers with names: local, global, by another registry; a second one is told who was first.
%%! local()           ==> {true,{{l,{registered_name,server_names_server}},l,ok}}
%%! global()          ==> {true,{{g,[]},g,ok}}
%%! via()             ==> {true,{{v,{registered_name,server_names_key}},v,ok}}
%%! second()          ==> {true,{{1,{registered_name,server_names_server}},1,ok}}
%%! second_linked()   ==> {nothing,{{1,{registered_name,server_names_server}},1,ok}}
%%! free_after_stop() ==> [{{1,{registered_name,server_names_server}},1,ok},{{2,{registered_name,server_names_server}},2,ok}]
%%! bad_name()        ==> {error,badarg}
-module(server_names).
-behaviour(gen_server).
-export([local/0, global/0, via/0, second/0, second_linked/0, free_after_stop/0, bad_name/0, init/1, handle_call/3, handle_cast/2]).
-export([register_name/2, unregister_name/1, whereis_name/1, send/2]).
init(N) -> {ok, N}.
handle_call(name, _, N) -> {reply, {N, process_info(self(), registered_name)}, N}.
handle_cast({tell, To}, N) -> To ! {told, N}, {noreply, N}.
-define(NAME, server_names_server).
used(Name) ->
    gen_server:cast(Name, {tell, self()}),
    Told = receive {told, N} -> N end,
    {gen_server:call(Name, name), Told, gen_server:stop(Name)}.
local() -> {ok, P} = gen_server:start({local, ?NAME}, ?MODULE, l, []), {whereis(?NAME) =:= P, used(?NAME)}.
global() -> {ok, P} = gen_server:start({global, ?NAME}, ?MODULE, g, []), {global:whereis_name(?NAME) =:= P, used({global, ?NAME})}.
via() -> {ok, P} = gen_server:start({via, ?MODULE, key}, ?MODULE, v, []), {whereis_name(key) =:= P, used({via, ?MODULE, key})}.
second() ->
    {ok, P} = gen_server:start({local, ?NAME}, ?MODULE, 1, []),
    {error, {already_started, Q}} = gen_server:start({local, ?NAME}, ?MODULE, 2, []),
    {P =:= Q, used(?NAME)}.
second_linked() ->
    process_flag(trap_exit, true),
    {ok, P} = gen_server:start_link({local, ?NAME}, ?MODULE, 1, []),
    {error, {already_started, P}} = gen_server:start_link({local, ?NAME}, ?MODULE, 2, []),
    First = receive {'EXIT', Q, Why} -> {Q =:= P, Why} after 0 -> nothing end,
    {First, used(?NAME)}.
free_after_stop() ->
    [begin {ok, _} = gen_server:start({local, ?NAME}, ?MODULE, K, []), used(?NAME) end || K <- [1, 2]].
bad_name() -> try gen_server:start({local, "name"}, ?MODULE, 1, []) catch Class:Why -> {Class, Why} end.
%% A registry of its own, over names of the runtime.
name(Key) -> list_to_atom("server_names_" ++ atom_to_list(Key)).
register_name(Key, P) -> try register(name(Key), P), yes catch error:badarg -> no end.
unregister_name(Key) -> unregister(name(Key)).
whereis_name(Key) -> whereis(name(Key)).
send(Key, M) -> name(Key) ! M, whereis(name(Key)).
