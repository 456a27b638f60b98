%% The box office of a small theatre. Groups book seats, and wait in line if there are too few.
-module(box_office).
-behaviour(gen_server).
-export([open/1, book/3, cancel/2, waiting/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(house, {
    free :: non_neg_integer(),
    booked = #{} :: #{atom() => pos_integer()},
    waiting = [] :: [{atom(), pos_integer()}]
}).

%% Opens with so many seats.
-spec open(Seats :: non_neg_integer()) -> {ok, pid()}.
open(Seats) -> gen_server:start_link(?MODULE, Seats, []).

%% Books seats for a group, or lets it wait for those of somebody who cancels.
-spec book(pid(), Group :: atom(), Seats :: pos_integer()) -> booked | waiting | {error, known}.
book(Office, Group, Seats) -> gen_server:call(Office, {book, Group, Seats}).

%% Gives the seats of a group to whoever waits. Tells how many are free then.
-spec cancel(pid(), Group :: atom()) -> {ok, non_neg_integer()} | {error, not_booked}.
cancel(Office, Group) -> gen_server:call(Office, {cancel, Group}).

%% The groups that wait, in the order in which they came.
-spec waiting(pid()) -> [Group :: atom()].
waiting(Office) -> gen_server:call(Office, waiting).

init(Seats) -> {ok, #house{free = Seats}}.

handle_call({book, Group, Seats}, _, #house{free = Free, booked = Booked, waiting = Waiting} = House) ->
    case is_map_key(Group, Booked) orelse lists:keymember(Group, 1, Waiting) of
        true -> {reply, {error, known}, House};
        false when Seats =< Free -> {reply, booked, seat(Group, Seats, House)};
        false -> {reply, waiting, House#house{waiting = Waiting ++ [{Group, Seats}]}}
    end;
handle_call({cancel, Group}, _, #house{free = Free, booked = Booked} = House) ->
    case maps:take(Group, Booked) of
        {Seats, Others} ->
            Next = next_in_line(House#house{free = Free + Seats, booked = Others}),
            {reply, {ok, Next#house.free}, Next};
        error ->
            {reply, {error, not_booked}, House}
    end;
handle_call(waiting, _, #house{waiting = Waiting} = House) ->
    {reply, [Group || {Group, _} <- Waiting], House}.

handle_cast(_, House) -> {noreply, House}.

next_in_line(#house{waiting = []} = House) -> House;
next_in_line(#house{waiting = [{Group, Seats} | Waiting]} = House) ->
    seat(Group, Seats, House#house{waiting = Waiting}).

seat(Group, Seats, #house{free = Free, booked = Booked} = House) ->
    House#house{free = Free - Seats, booked = Booked#{Group => Seats}}.
