%% Bookings are named by references that only the reply of book/2 contains. Cancelling one that was confirmed
%% meets a record of another shape.
%%? client: finds error:{badmatch, {confirmed, _, _}}
%% Scenario: {ok, P} = token_of_booking:start_link(), {ok, B} = token_of_booking:book(P, a), ok = token_of_booking:confirm(P, B), token_of_booking:cancel(P, B)
-module(token_of_booking).
-behaviour(gen_server).
-export([start_link/0, book/2, confirm/2, cancel/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-type booking() :: reference().

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec book(pid(), atom()) -> {ok, booking()}.
book(Desk, Room) -> gen_server:call(Desk, {book, Room}).

-spec confirm(pid(), booking()) -> ok | {error, unknown}.
confirm(Desk, Booking) -> gen_server:call(Desk, {confirm, Booking}).

-spec cancel(pid(), booking()) -> {ok, atom()} | {error, unknown}.
cancel(Desk, Booking) -> gen_server:call(Desk, {cancel, Booking}).

init([]) -> {ok, #{}}.

handle_call({book, Room}, {Client, _}, Bookings) ->
    Ref = make_ref(),
    {reply, {ok, Ref}, Bookings#{Ref => {held, Room}, {by, Ref} => Client}};
handle_call({_, Ref}, _, Bookings) when not is_map_key(Ref, Bookings) ->
    {reply, {error, unknown}, Bookings};
handle_call({confirm, Ref}, _, Bookings) ->
    Room = element(2, maps:get(Ref, Bookings)),
    {reply, ok, Bookings#{Ref := {confirmed, Room, maps:get({by, Ref}, Bookings)}}};
handle_call({cancel, Ref}, _, Bookings) ->
    {held, Room} = maps:get(Ref, Bookings),
    {reply, {ok, Room}, maps:without([Ref, {by, Ref}], Bookings)}.

handle_cast(_, Bookings) -> {noreply, Bookings}.
