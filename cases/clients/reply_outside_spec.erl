%% Keeps the highest of the values it has seen. Asked before it has seen any, it answers with an atom that its
%% specification does not know.
%%? client: finds spec:undefined
%% Scenario: {ok, P} = reply_outside_spec:start_link(), reply_outside_spec:highest(P)
-module(reply_outside_spec).
-behaviour(gen_server).
-export([start_link/0, seen/2, highest/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec seen(pid(), integer()) -> ok.
seen(Server, Value) -> gen_server:cast(Server, {seen, Value}).

-spec highest(pid()) -> {ok, integer()} | none.
highest(Server) -> gen_server:call(Server, highest).

init([]) -> {ok, undefined}.

handle_call(highest, _, undefined) -> {reply, undefined, undefined};
handle_call(highest, _, Highest) -> {reply, {ok, Highest}, Highest}.

handle_cast({seen, Value}, undefined) -> {noreply, Value};
handle_cast({seen, Value}, Highest) -> {noreply, max(Value, Highest)}.
