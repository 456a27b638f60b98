%% Leases that end after a while or when they are given back, whichever comes first. A lease that is unknown
%% is told apart.
%%? client: clean
-module(clean_leases).
-behaviour(gen_server).
-export([start_link/1, lease/2, renew/2, give_back/2, count/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-type lease() :: reference().

-spec start_link(Milliseconds :: 1..60000) -> {ok, pid()}.
start_link(Milliseconds) -> gen_server:start_link(?MODULE, Milliseconds, []).

-spec lease(pid(), What :: atom()) -> {ok, lease()}.
lease(Server, What) -> gen_server:call(Server, {lease, What}).

-spec renew(pid(), lease()) -> ok | {error, unknown}.
renew(Server, Lease) -> gen_server:call(Server, {renew, Lease}).

-spec give_back(pid(), lease()) -> {ok, atom()} | {error, unknown}.
give_back(Server, Lease) -> gen_server:call(Server, {give_back, Lease}).

-spec count(pid()) -> non_neg_integer().
count(Server) -> gen_server:call(Server, count).

init(Time) -> {ok, {Time, #{}}}.

handle_call({lease, What}, _, {Time, Leases}) ->
    Ref = make_ref(),
    {reply, {ok, Ref}, {Time, Leases#{Ref => {What, timer(Time, Ref)}}}};
handle_call(count, _, {_, Leases} = S) ->
    {reply, map_size(Leases), S};
handle_call({_, Ref}, _, {_, Leases} = S) when not is_map_key(Ref, Leases) ->
    {reply, {error, unknown}, S};
handle_call({renew, Ref}, _, {Time, Leases}) ->
    {What, Timer} = maps:get(Ref, Leases),
    _ = erlang:cancel_timer(Timer),
    {reply, ok, {Time, Leases#{Ref := {What, timer(Time, Ref)}}}};
handle_call({give_back, Ref}, _, {Time, Leases}) ->
    {{What, Timer}, Others} = maps:take(Ref, Leases),
    _ = erlang:cancel_timer(Timer),
    {reply, {ok, What}, {Time, Others}}.

handle_cast(_, S) -> {noreply, S}.

%% A timer that has rung while its lease was renewed is not the lease's timer any more.
handle_info({timeout, Timer, Ref}, {Time, Leases} = S) ->
    case Leases of
        #{Ref := {_, Timer}} -> {noreply, {Time, maps:remove(Ref, Leases)}};
        #{} -> {noreply, S}
    end;
handle_info(_, S) ->
    {noreply, S}.

timer(Time, Ref) -> erlang:start_timer(Time, self(), Ref).
