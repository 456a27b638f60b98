%% Bug: a quota that is used up to the last byte has no next warning.
%% Needs: 3 calls, a sum equal to an earlier number.
%% Scenario: {ok, P} = disk_quota:start_link(1000), {ok, 600} = disk_quota:write(P, 400), disk_quota:write(P, 600)
%%? client: finds error:badarith
-module(disk_quota).
-behaviour(gen_server).
-export([start_link/1, write/2, erase/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link(Quota :: 1000..1000000) -> {ok, pid()}.
start_link(Quota) -> gen_server:start_link(?MODULE, Quota, []).

%% The bytes that are left.
-spec write(pid(), 1..900) -> {ok, non_neg_integer()} | {warning, pos_integer()} | {error, full}.
write(Disk, Bytes) -> gen_server:call(Disk, {write, Bytes}).

-spec erase(pid(), pos_integer()) -> ok.
erase(Disk, Bytes) -> gen_server:call(Disk, {erase, Bytes}).

init(Quota) -> {ok, {0, Quota}}.

handle_call({write, N}, _, {Used, Quota} = S) when Used + N > Quota -> {reply, {error, full}, S};
handle_call({write, N}, _, {Used, Quota}) ->
    Left = Quota - Used - N,
    case Quota div Left of
        Times when Times > 10 -> {reply, {warning, Left}, {Used + N, Quota}};
        _ -> {reply, {ok, Left}, {Used + N, Quota}}
    end;
handle_call({erase, N}, _, {Used, Quota}) -> {reply, ok, {max(0, Used - N), Quota}}.

handle_cast(_, S) -> {noreply, S}.
