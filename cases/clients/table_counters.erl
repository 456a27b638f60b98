%% Counters in a table that the server owns. Pausing a counter takes it out of the table, where increments of
%% known counters still look for it.
%%? client: finds error:badarg
%% Scenario: {ok, P} = table_counters:start_link(), ok = table_counters:new(P, hits), 1 = table_counters:increment(P, hits), ok = table_counters:pause(P, hits), table_counters:increment(P, hits)
-module(table_counters).
-behaviour(gen_server).
-export([start_link/0, new/2, increment/2, pause/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec new(pid(), atom()) -> ok.
new(Server, Counter) -> gen_server:call(Server, {new, Counter}).

-spec increment(pid(), atom()) -> pos_integer() | unknown.
increment(Server, Counter) -> gen_server:call(Server, {increment, Counter}).

-spec pause(pid(), atom()) -> ok.
pause(Server, Counter) -> gen_server:call(Server, {pause, Counter}).

init([]) -> {ok, {ets:new(counters, [set, private]), []}}.

handle_call({new, C}, _, {Table, Known}) ->
    ets:insert_new(Table, {C, 0}),
    {reply, ok, {Table, lists:usort([C | Known])}};
handle_call({increment, C}, _, {Table, Known} = S) ->
    case lists:member(C, Known) of
        true -> {reply, ets:update_counter(Table, C, 1), S};
        false -> {reply, unknown, S}
    end;
handle_call({pause, C}, _, {Table, _} = S) ->
    ets:delete(Table, C),
    {reply, ok, S}.

handle_cast(_, S) -> {noreply, S}.
