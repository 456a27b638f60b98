%% Bug: a job that was cancelled while somebody works on it is put back when it is given up, without its title.
%% Needs: 6 calls, tokens of earlier replies.
%% Scenario: {ok, B} = job_board:start_link(), J = job_board:post(B, "x"), {J, "x"} = job_board:take(B), ok = job_board:cancel(B, J), ok = job_board:give_up(B, J), job_board:take(B)
%%? client: finds error:{badkey, _}
-module(job_board).
-behaviour(gen_server).
-export([start_link/0, post/2, take/1, give_up/2, cancel/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-type job() :: reference().
-record(board, {titles = #{} :: #{job() => string()}, open = [] :: [job()], taken = [] :: [job()]}).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec post(pid(), string()) -> job().
post(Board, Title) -> gen_server:call(Board, {post, Title}).

-spec take(pid()) -> {job(), string()} | none.
take(Board) -> gen_server:call(Board, take).

-spec give_up(pid(), job()) -> ok | not_taken.
give_up(Board, Job) -> gen_server:call(Board, {give_up, Job}).

-spec cancel(pid(), job()) -> ok.
cancel(Board, Job) -> gen_server:call(Board, {cancel, Job}).

init([]) -> {ok, #board{}}.

handle_call({post, Title}, _, #board{titles = Ts, open = Open} = B) ->
    Job = make_ref(),
    {reply, Job, B#board{titles = Ts#{Job => Title}, open = Open ++ [Job]}};
handle_call(take, _, #board{open = []} = B) ->
    {reply, none, B};
handle_call(take, _, #board{titles = Ts, open = [Job | Open], taken = Taken} = B) ->
    {reply, {Job, maps:get(Job, Ts)}, B#board{open = Open, taken = [Job | Taken]}};
handle_call({give_up, Job}, _, #board{open = Open, taken = Taken} = B) ->
    case lists:member(Job, Taken) of
        true -> {reply, ok, B#board{open = [Job | Open], taken = lists:delete(Job, Taken)}};
        false -> {reply, not_taken, B}
    end;
handle_call({cancel, Job}, _, #board{titles = Ts, open = Open} = B) ->
    {reply, ok, B#board{titles = maps:remove(Job, Ts), open = lists:delete(Job, Open)}}.

handle_cast(_, B) -> {noreply, B}.
