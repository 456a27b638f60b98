%% A shopping cart that takes a coupon of 10 if the goods are worth it. Taking goods out again leaves the coupon in.
%%? client: finds spec:N when N < 0
%% Scenario: {ok, C} = cart_negative_total:open(), ok = cart_negative_total:add(C, tea, 10), ok = cart_negative_total:coupon(C), ok = cart_negative_total:remove(C, tea), cart_negative_total:total(C)
-module(cart_negative_total).
-behaviour(gen_server).
-export([open/0, add/3, remove/2, coupon/1, total/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(cart, {goods = #{} :: #{atom() => pos_integer()}, discount = 0 :: 0 | 10}).

-spec open() -> {ok, pid()}.
open() -> gen_server:start(?MODULE, [], []).

-spec add(pid(), atom(), Price :: pos_integer()) -> ok.
add(Cart, Item, Price) -> gen_server:call(Cart, {add, Item, Price}).

-spec remove(pid(), atom()) -> ok.
remove(Cart, Item) -> gen_server:call(Cart, {remove, Item}).

-spec coupon(pid()) -> ok | {error, too_cheap}.
coupon(Cart) -> gen_server:call(Cart, coupon).

-spec total(pid()) -> non_neg_integer().
total(Cart) -> gen_server:call(Cart, total).

init([]) -> {ok, #cart{}}.

handle_call({add, Item, Price}, _, #cart{goods = Goods} = C) -> {reply, ok, C#cart{goods = Goods#{Item => Price}}};
handle_call({remove, Item}, _, #cart{goods = Goods} = C) -> {reply, ok, C#cart{goods = maps:remove(Item, Goods)}};
handle_call(coupon, _, C) ->
    case sum(C) >= 10 of
        true -> {reply, ok, C#cart{discount = 10}};
        false -> {reply, {error, too_cheap}, C}
    end;
handle_call(total, _, #cart{discount = Discount} = C) -> {reply, sum(C) - Discount, C}.

handle_cast(_, C) -> {noreply, C}.

sum(#cart{goods = Goods}) -> lists:sum(maps:values(Goods)).
