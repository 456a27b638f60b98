%% A key-value store with nested transactions. Committing the inner one throws the outer one's values away, so that
%% the outer commit finds none.
%%? client: finds error:{badmatch, _}
%% Scenario: {ok, P} = transactions_nested:start_link(), 1 = transactions_nested:begin_tx(P), 2 = transactions_nested:begin_tx(P), ok = transactions_nested:commit(P), transactions_nested:commit(P)
-module(transactions_nested).
-behaviour(gen_server).
-export([start_link/0, put/3, get/2, begin_tx/1, commit/1, rollback/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(store, {values = #{} :: #{atom() => integer()}, depth = 0 :: non_neg_integer(), saved = [] :: [map()]}).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec put(pid(), atom(), integer()) -> ok.
put(Store, Key, Value) -> gen_server:call(Store, {put, Key, Value}).

-spec get(pid(), atom()) -> {ok, integer()} | error.
get(Store, Key) -> gen_server:call(Store, {get, Key}).

%% The depth of the transaction.
-spec begin_tx(pid()) -> pos_integer().
begin_tx(Store) -> gen_server:call(Store, begin_tx).

-spec commit(pid()) -> ok | {error, no_transaction}.
commit(Store) -> gen_server:call(Store, commit).

-spec rollback(pid()) -> ok | {error, no_transaction}.
rollback(Store) -> gen_server:call(Store, rollback).

init([]) -> {ok, #store{}}.

handle_call({put, K, V}, _, #store{values = Vs} = S) -> {reply, ok, S#store{values = Vs#{K => V}}};
handle_call({get, K}, _, #store{values = Vs} = S) -> {reply, maps:find(K, Vs), S};
handle_call(begin_tx, _, #store{values = Vs, depth = D, saved = Saved} = S) ->
    {reply, D + 1, S#store{depth = D + 1, saved = [Vs | Saved]}};
handle_call(_, _, #store{depth = 0} = S) ->
    {reply, {error, no_transaction}, S};
handle_call(commit, _, #store{depth = D, saved = Saved} = S) ->
    [_ | _] = Saved,
    {reply, ok, S#store{depth = D - 1, saved = []}};
handle_call(rollback, _, #store{depth = D, saved = Saved} = S) ->
    [Before | Outer] = Saved,
    {reply, ok, S#store{values = Before, depth = D - 1, saved = Outer}}.

handle_cast(_, S) -> {noreply, S}.
