%% Orders ask the stock, and the stock asks for orders that can wait.
-module(warehouse).
-export([order/2, orders/1, stock/1]).

%% Orders so many pieces where so many are in stock.
-spec order(pos_integer(), non_neg_integer()) -> ok | later.
order(Pieces, InStock) ->
    register(orders, spawn_link(warehouse, orders, [0])),
    register(stock, spawn_link(warehouse, stock, [InStock])),
    ask(orders, {order, Pieces}).

ask(Name, Question) ->
    Name ! {self(), Question},
    receive {answer, Answer} -> Answer end.

orders(Waiting) ->
    receive
        {From, {order, Pieces}} ->
            Answer = ask(stock, {take, Pieces}),
            From ! {answer, Answer},
            orders(Waiting);
        {From, how_many_wait} ->
            From ! {answer, Waiting},
            orders(Waiting)
    end.

stock(Count) ->
    receive
        {From, {take, Pieces}} when Pieces =< Count ->
            From ! {answer, ok},
            stock(Count - Pieces);
        {From, {take, _}} ->
            true = ask(orders, how_many_wait) < 100,
            From ! {answer, later},
            stock(Count)
    end.
