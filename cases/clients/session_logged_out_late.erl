%% Sessions that end after some time. Logging out of one that has ended counts its user down for the second time.
%%? client: finds spec:N when N < 0
%% Scenario: {ok, P} = session_logged_out_late:start_link(20), {ok, T} = session_logged_out_late:login(P, ann), timer:sleep(60), ok = session_logged_out_late:logout(P, T), session_logged_out_late:online(P)
-module(session_logged_out_late).
-behaviour(gen_server).
-export([start_link/1, login/2, who/2, logout/2, online/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-type token() :: reference().
-type sessions() :: #{token() => {user, atom()} | ended}.
-record(store, {idle :: pos_integer(), online = 0 :: integer(), sessions = #{} :: sessions()}).

-spec start_link(1..600000) -> {ok, pid()}.
start_link(Idle) -> gen_server:start_link(?MODULE, Idle, []).

-spec login(pid(), User :: atom()) -> {ok, token()}.
login(Store, User) -> gen_server:call(Store, {login, User}).

-spec who(pid(), token()) -> {ok, atom()} | {error, unknown | ended}.
who(Store, Token) -> gen_server:call(Store, {who, Token}).

-spec logout(pid(), token()) -> ok | {error, unknown}.
logout(Store, Token) -> gen_server:call(Store, {logout, Token}).

-spec online(pid()) -> non_neg_integer().
online(Store) -> gen_server:call(Store, online).

init(Idle) -> {ok, #store{idle = Idle}}.

handle_call({login, User}, _, #store{idle = Idle, online = N, sessions = Ss} = S) ->
    Token = make_ref(),
    erlang:send_after(Idle, self(), {idle, Token}),
    {reply, {ok, Token}, S#store{online = N + 1, sessions = Ss#{Token => {user, User}}}};
handle_call(online, _, #store{online = N} = S) ->
    {reply, N, S};
handle_call({_, Token}, _, #store{sessions = Ss} = S) when not is_map_key(Token, Ss) ->
    {reply, {error, unknown}, S};
handle_call({who, Token}, _, #store{sessions = Ss} = S) ->
    case Ss of
        #{Token := {user, User}} -> {reply, {ok, User}, S};
        #{Token := ended} -> {reply, {error, ended}, S}
    end;
handle_call({logout, Token}, _, #store{online = N, sessions = Ss} = S) ->
    {reply, ok, S#store{online = N - 1, sessions = maps:remove(Token, Ss)}}.

handle_cast(_, S) -> {noreply, S}.

handle_info({idle, Token}, #store{online = N, sessions = Ss} = S) ->
    case Ss of
        #{Token := {user, _}} -> {noreply, S#store{online = N - 1, sessions = Ss#{Token := ended}}};
        #{} -> {noreply, S}
    end;
handle_info(_, S) ->
    {noreply, S}.
