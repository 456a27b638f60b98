%% A store in a table that its server owns, read through the server. Keys that are not there have a default.
%%? client: clean
-module(clean_store).
-behaviour(gen_server).
-export([start_link/0, put/3, get/3, bump/2, delete/2, keys/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec put(pid(), atom(), integer()) -> ok.
put(Store, Key, Value) -> gen_server:call(Store, {put, Key, Value}).

-spec get(pid(), atom(), Default :: integer()) -> integer().
get(Store, Key, Default) -> gen_server:call(Store, {get, Key, Default}).

-spec bump(pid(), atom()) -> integer().
bump(Store, Key) -> gen_server:call(Store, {bump, Key}).

-spec delete(pid(), atom()) -> ok.
delete(Store, Key) -> gen_server:cast(Store, {delete, Key}).

-spec keys(pid()) -> [atom()].
keys(Store) -> gen_server:call(Store, keys).

init([]) -> {ok, ets:new(?MODULE, [set, protected])}.

handle_call({put, K, V}, _, Table) -> true = ets:insert(Table, {K, V}), {reply, ok, Table};
handle_call({get, K, Default}, _, Table) ->
    case ets:lookup(Table, K) of
        [{K, V}] -> {reply, V, Table};
        [] -> {reply, Default, Table}
    end;
handle_call({bump, K}, _, Table) -> {reply, ets:update_counter(Table, K, 1, {K, 0}), Table};
handle_call(keys, _, Table) -> {reply, lists:sort([K || {K, _} <- ets:tab2list(Table)]), Table}.

handle_cast({delete, K}, Table) -> true = ets:delete(Table, K), {noreply, Table}.
