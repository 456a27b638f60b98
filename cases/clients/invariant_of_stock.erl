%% A stock whose total is kept beside the pieces, as an invariant says. Taking the last piece of a kind forgets
%% the total.
%%? client: finds error:{badmatch, false}
%% Scenario: {ok, P} = invariant_of_stock:start_link(), ok = invariant_of_stock:add(P, nuts, 2), true = invariant_of_stock:adds_up(sys:get_state(P)), ok = invariant_of_stock:take(P, nuts, 2), invariant_of_stock:adds_up(sys:get_state(P))
-module(invariant_of_stock).
-behaviour(gen_server).
-beagle({invariant, adds_up/1}).
-export([start_link/0, add/3, take/3, adds_up/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec add(pid(), atom(), pos_integer()) -> ok.
add(Stock, Item, Pieces) -> gen_server:call(Stock, {add, Item, Pieces}).

-spec take(pid(), atom(), pos_integer()) -> ok | {error, not_enough}.
take(Stock, Item, Pieces) -> gen_server:call(Stock, {take, Item, Pieces}).

-spec adds_up({#{atom() => pos_integer()}, non_neg_integer()}) -> boolean().
adds_up({Pieces, Total}) -> lists:sum(maps:values(Pieces)) =:= Total.

init([]) -> {ok, {#{}, 0}}.

handle_call({add, Item, N}, _, {Pieces, Total}) ->
    {reply, ok, {maps:update_with(Item, fun(Have) -> Have + N end, N, Pieces), Total + N}};
handle_call({take, Item, N}, _, {Pieces, Total} = S) ->
    case Pieces of
        #{Item := Have} when Have > N -> {reply, ok, {Pieces#{Item := Have - N}, Total - N}};
        #{Item := N} -> {reply, ok, {maps:remove(Item, Pieces), Total}};
        #{} -> {reply, {error, not_enough}, S}
    end.

handle_cast(_, S) -> {noreply, S}.
