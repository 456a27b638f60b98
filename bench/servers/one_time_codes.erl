%% Bug: a code that has run out is kept as expired, which confirming it again does not expect.
%% Needs: 4 steps, a token and time.
%% Scenario: {ok, P} = one_time_codes:start_link(), C = one_time_codes:issue(P), timer:sleep(350), one_time_codes:confirm(P, C)
%%? client: finds error:{badmatch, _}
-module(one_time_codes).
-behaviour(gen_server).
-export([start_link/0, issue/1, confirm/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-type code() :: reference().

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec issue(pid()) -> code().
issue(Server) -> gen_server:call(Server, issue).

-spec confirm(pid(), code()) -> ok | wrong.
confirm(Server, Code) -> gen_server:call(Server, {confirm, Code}).

init([]) -> {ok, #{}}.

handle_call(issue, _, Codes) ->
    Code = make_ref(),
    Timer = erlang:send_after(300, self(), {run_out, Code}),
    {reply, Code, Codes#{Code => {valid, Timer}}};
handle_call({confirm, Code}, _, Codes) when is_map_key(Code, Codes) ->
    {valid, Timer} = maps:get(Code, Codes),
    _ = erlang:cancel_timer(Timer),
    {reply, ok, maps:remove(Code, Codes)};
handle_call({confirm, _}, _, Codes) ->
    {reply, wrong, Codes}.

handle_cast(_, Codes) -> {noreply, Codes}.

handle_info({run_out, Code}, Codes) when is_map_key(Code, Codes) -> {noreply, Codes#{Code := expired}};
handle_info(_, Codes) -> {noreply, Codes}.
