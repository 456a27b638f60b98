%% Bug: undoing may go back behind the checkpoint; what is written then is counted from there.
%% Needs: 7 calls in the right order.
%% Scenario: {ok, P} = undo_log:start_link(), 1 = undo_log:write(P, a), 2 = undo_log:write(P, b), ok = undo_log:checkpoint(P), ok = undo_log:undo(P, 2), 1 = undo_log:write(P, c), undo_log:since_checkpoint(P)
%%? client: finds error:function_clause
-module(undo_log).
-behaviour(gen_server).
-export([start_link/0, write/2, undo/2, checkpoint/1, since_checkpoint/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(log, {entries = [] :: [atom()], undone = [] :: [atom()], mark = 0 :: non_neg_integer()}).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

%% The length of the log.
-spec write(pid(), atom()) -> pos_integer().
write(Log, Entry) -> gen_server:call(Log, {write, Entry}).

%% Undoes the last steps.
-spec undo(pid(), pos_integer()) -> ok | nothing.
undo(Log, Steps) -> gen_server:call(Log, {undo, Steps}).

-spec checkpoint(pid()) -> ok.
checkpoint(Log) -> gen_server:call(Log, checkpoint).

%% The entries since the checkpoint; none if the last step was an undo.
-spec since_checkpoint(pid()) -> [atom()].
since_checkpoint(Log) -> gen_server:call(Log, since_checkpoint).

init([]) -> {ok, #log{}}.

handle_call({write, Entry}, _, #log{entries = Es} = L) ->
    {reply, length(Es) + 1, L#log{entries = [Entry | Es], undone = []}};
handle_call({undo, _}, _, #log{entries = []} = L) ->
    {reply, nothing, L};
handle_call({undo, N}, _, #log{entries = Es} = L) ->
    {Undone, Left} = lists:split(min(N, length(Es)), Es),
    {reply, ok, L#log{entries = Left, undone = Undone}};
handle_call(checkpoint, _, #log{entries = Es} = L) ->
    {reply, ok, L#log{mark = length(Es), undone = []}};
handle_call(since_checkpoint, _, #log{undone = [_ | _]} = L) ->
    {reply, [], L};
handle_call(since_checkpoint, _, #log{entries = Es, mark = Mark} = L) ->
    {reply, lists:reverse(newest(length(Es) - Mark, Es)), L}.

handle_cast(_, L) -> {noreply, L}.

newest(0, _) -> [];
newest(N, [E | Es]) when N > 0 -> [E | newest(N - 1, Es)].
