%% Bug: a file that was opened twice and closed twice is taken off the list at the first close already.
%% Needs: 5 calls, the same name each time.
%% Scenario: {ok, P} = shared_files:start_link(), 1 = shared_files:open(P, a), 2 = shared_files:open(P, a), 1 = shared_files:close(P, a), shared_files:close(P, a)
%%? client: finds error:{badmatch, false}
-module(shared_files).
-behaviour(gen_server).
-export([start_link/0, open/2, close/2, list/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

%% By how many the file is open now.
-spec open(pid(), atom()) -> pos_integer().
open(Files, Name) -> gen_server:call(Files, {open, Name}).

-spec close(pid(), atom()) -> non_neg_integer() | not_open.
close(Files, Name) -> gen_server:call(Files, {close, Name}).

-spec list(pid()) -> [atom()].
list(Files) -> gen_server:call(Files, list).

init([]) -> {ok, {#{}, []}}.

handle_call({open, Name}, _, {Counts, Names}) ->
    N = maps:get(Name, Counts, 0) + 1,
    {reply, N, {Counts#{Name => N}, lists:usort([Name | Names])}};
handle_call({close, Name}, _, {Counts, Names} = S) ->
    case maps:get(Name, Counts, 0) of
        0 -> {reply, not_open, S};
        N ->
            true = lists:member(Name, Names),
            {reply, N - 1, {Counts#{Name := N - 1}, lists:delete(Name, Names)}}
    end;
handle_call(list, _, {_, Names} = S) -> {reply, Names, S}.

handle_cast(_, S) -> {noreply, S}.
