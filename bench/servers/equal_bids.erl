%% Bug: two bidders with the same amount, above the reserve price, are both the highest.
%% Needs: 4 calls, equal numbers and different names.
%% Scenario: {ok, A} = equal_bids:open(50), ok = equal_bids:bid(A, ann, 70), ok = equal_bids:bid(A, bob, 70), equal_bids:winner(A)
%%? client: finds error:{case_clause, _}
-module(equal_bids).
-behaviour(gen_server).
-export([open/1, bid/3, winner/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec open(Reserve :: pos_integer()) -> {ok, pid()}.
open(Reserve) -> gen_server:start(?MODULE, Reserve, []).

-spec bid(pid(), Who :: atom(), pos_integer()) -> ok | too_low.
bid(Auction, Who, Amount) -> gen_server:call(Auction, {bid, Who, Amount}).

-spec winner(pid()) -> {atom(), pos_integer()} | nobody.
winner(Auction) -> gen_server:call(Auction, winner).

init(Reserve) -> {ok, {Reserve, #{}}}.

handle_call({bid, _, Amount}, _, {Reserve, _} = S) when Amount < Reserve -> {reply, too_low, S};
handle_call({bid, Who, Amount}, _, {Reserve, Bids}) -> {reply, ok, {Reserve, Bids#{Who => Amount}}};
handle_call(winner, _, {_, Bids} = S) ->
    Highest = lists:max([0 | maps:values(Bids)]),
    case [Who || {Who, Amount} <- maps:to_list(Bids), Amount =:= Highest] of
        [] -> {reply, nobody, S};
        [Who] -> {reply, {Who, Highest}, S}
    end.

handle_cast(_, S) -> {noreply, S}.
