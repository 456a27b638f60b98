%% A shop asks its store for goods, and a store that runs low asks the shop how much is ordered while the shop
%% still waits.
%%? client: finds deadlock
%% Scenario: {ok, P} = call_each_other:open(5), ok = call_each_other:order(P, 3), call_each_other:order(P, 3)
-module(call_each_other).
-behaviour(gen_server).
-export([open/1, order/2, ordered/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec open(Stock :: non_neg_integer()) -> {ok, pid()}.
open(Stock) -> gen_server:start_link(?MODULE, {shop, Stock}, []).

-spec order(pid(), pos_integer()) -> ok | sold_out.
order(Shop, Pieces) -> gen_server:call(Shop, {order, Pieces}, infinity).

-spec ordered(pid()) -> non_neg_integer().
ordered(Shop) -> gen_server:call(Shop, ordered, infinity).

init({shop, Stock}) ->
    {ok, Store} = gen_server:start_link(?MODULE, {store, self(), Stock}, []),
    {ok, #{store => Store, ordered => 0}};
init({store, Shop, Stock}) ->
    {ok, #{shop => Shop, stock => Stock}}.

handle_call({order, N}, _, #{store := Store, ordered := Ordered} = S) ->
    case gen_server:call(Store, {take, N}, infinity) of
        ok -> {reply, ok, S#{ordered := Ordered + N}};
        sold_out -> {reply, sold_out, S}
    end;
handle_call(ordered, _, #{ordered := Ordered} = S) ->
    {reply, Ordered, S};
handle_call({take, N}, _, #{stock := Stock} = S) when N =< Stock ->
    {reply, ok, S#{stock := Stock - N}};
handle_call({take, _}, _, #{stock := 0} = S) ->
    {reply, sold_out, S};
handle_call({take, _}, _, #{shop := Shop, stock := Stock} = S) ->
    Urgent = ordered(Shop) > 100,
    {reply, sold_out, S#{urgent => Urgent, stock := Stock}}.

handle_cast(_, S) -> {noreply, S}.
