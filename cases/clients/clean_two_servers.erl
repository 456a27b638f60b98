%% A shop and its store, two servers of which only the first calls the other. Whatever is ordered, neither
%% waits for long.
%%? client: clean
-module(clean_two_servers).
-behaviour(gen_server).
-export([open/1, order/2, restock/2, left/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec open(Stock :: non_neg_integer()) -> {ok, pid()}.
open(Stock) -> gen_server:start_link(?MODULE, {shop, Stock}, []).

-spec order(pid(), pos_integer()) -> {ok, Number :: pos_integer()} | sold_out.
order(Shop, Pieces) -> gen_server:call(Shop, {order, Pieces}).

-spec restock(pid(), pos_integer()) -> ok.
restock(Shop, Pieces) -> gen_server:cast(Shop, {restock, Pieces}).

-spec left(pid()) -> non_neg_integer().
left(Shop) -> gen_server:call(Shop, left).

init({shop, Stock}) ->
    {ok, Store} = gen_server:start_link(?MODULE, {store, Stock}, []),
    {ok, {shop, Store, 0}};
init({store, Stock}) ->
    {ok, {store, Stock}}.

handle_call({order, Pieces}, _, {shop, Store, Orders} = S) ->
    case gen_server:call(Store, {take, Pieces}) of
        ok -> {reply, {ok, Orders + 1}, {shop, Store, Orders + 1}};
        sold_out -> {reply, sold_out, S}
    end;
handle_call(left, _, {shop, Store, _} = S) -> {reply, gen_server:call(Store, left), S};
handle_call(left, _, {store, Stock} = S) -> {reply, Stock, S};
handle_call({take, Pieces}, _, {store, Stock}) when Pieces =< Stock -> {reply, ok, {store, Stock - Pieces}};
handle_call({take, _}, _, S) -> {reply, sold_out, S}.

handle_cast({restock, Pieces}, {shop, Store, _} = S) -> gen_server:cast(Store, {add, Pieces}), {noreply, S};
handle_cast({add, Pieces}, {store, Stock}) -> {noreply, {store, Stock + Pieces}}.
