%% Bug: a parcel of three or more items with the right checksum and the heaviest item last has no clause.
%% Needs: 2 calls, a sum and an order of the data.
%% Scenario: {ok, P} = checked_parcels:open(), checked_parcels:submit(P, [1, 2, 30], 33)
%%? client: finds error:{case_clause, _}
-module(checked_parcels).
-behaviour(gen_server).
-export([open/0, submit/3, accepted/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec open() -> {ok, pid()}.
open() -> gen_server:start(?MODULE, 0, []).

-spec submit(pid(), Weights :: [pos_integer()], Checksum :: 0..250) -> light | heavy_first | mixed | {error, checksum}.
submit(Office, Weights, Checksum) -> gen_server:call(Office, {submit, Weights, Checksum}).

-spec accepted(pid()) -> non_neg_integer().
accepted(Office) -> gen_server:call(Office, accepted).

init(N) -> {ok, N}.

handle_call({submit, Weights, Checksum}, _, N) ->
    case lists:sum(Weights) rem 251 of
        Checksum -> {reply, kind(Weights), N + 1};
        _ -> {reply, {error, checksum}, N}
    end;
handle_call(accepted, _, N) -> {reply, N, N}.

handle_cast(_, N) -> {noreply, N}.

kind(Weights) when length(Weights) < 3 -> light;
kind(Weights) ->
    case {hd(Weights), lists:last(Weights), lists:max(Weights)} of
        {Max, _, Max} -> heavy_first;
        {_, Last, Max} when Last < Max -> mixed
    end.
