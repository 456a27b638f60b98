%% A recorder of events that can be read from any position: positions out of range give an empty list.
%%? client: clean
-module(clean_recorder).
-behaviour(gen_server).
-export([start/0, record/2, from/2, last/1, size/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-spec start() -> {ok, pid()}.
start() -> gen_server:start(?MODULE, [], []).

-spec record(pid(), term()) -> pos_integer().
record(Recorder, Event) -> gen_server:call(Recorder, {record, Event}).

%% The events from this position on, the first being 1.
-spec from(pid(), pos_integer()) -> [term()].
from(Recorder, Position) -> gen_server:call(Recorder, {from, Position}).

-spec last(pid()) -> {ok, term()} | none.
last(Recorder) -> gen_server:call(Recorder, last).

-spec size(pid()) -> non_neg_integer().
size(Recorder) -> gen_server:call(Recorder, size).

init([]) -> {ok, []}.

handle_call({record, Event}, _, Events) -> {reply, length(Events) + 1, [Event | Events]};
handle_call({from, Position}, _, Events) when Position > length(Events) -> {reply, [], Events};
handle_call({from, Position}, _, Events) -> {reply, lists:nthtail(Position - 1, lists:reverse(Events)), Events};
handle_call(last, _, []) -> {reply, none, []};
handle_call(last, _, [Event | _] = Events) -> {reply, {ok, Event}, Events};
handle_call(size, _, Events) -> {reply, length(Events), Events}.

handle_cast(_, Events) -> {noreply, Events}.

handle_info(_, Events) -> {noreply, Events}.
