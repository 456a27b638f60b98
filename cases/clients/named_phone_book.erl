%% A phone book under its module's name, so that its functions take no server. Renaming an entry to a name that is
%% taken loses one, and the count that is kept apart no longer agrees.
%%? client: finds error:{badmatch, _}
%% Scenario: {ok, _} = named_phone_book:start_link(), ok = named_phone_book:add(a, 1), ok = named_phone_book:add(b, 2), ok = named_phone_book:rename(a, b), named_phone_book:count()
-module(named_phone_book).
-behaviour(gen_server).
-export([start_link/0, add/2, rename/2, find/1, count/0]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()} | {error, {already_started, pid()}}.
start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

-spec add(atom(), non_neg_integer()) -> ok | {error, taken}.
add(Name, Number) -> gen_server:call(?MODULE, {add, Name, Number}).

-spec rename(atom(), atom()) -> ok | {error, unknown}.
rename(Old, New) -> gen_server:call(?MODULE, {rename, Old, New}).

-spec find(atom()) -> {ok, non_neg_integer()} | error.
find(Name) -> gen_server:call(?MODULE, {find, Name}).

-spec count() -> non_neg_integer().
count() -> gen_server:call(?MODULE, count).

init([]) -> {ok, {#{}, 0}}.

handle_call({add, Name, _}, _, {Book, _} = S) when is_map_key(Name, Book) -> {reply, {error, taken}, S};
handle_call({add, Name, Number}, _, {Book, N}) -> {reply, ok, {Book#{Name => Number}, N + 1}};
handle_call({rename, Old, New}, _, {Book, N} = S) ->
    case maps:take(Old, Book) of
        {Number, Rest} -> {reply, ok, {Rest#{New => Number}, N}};
        error -> {reply, {error, unknown}, S}
    end;
handle_call({find, Name}, _, {Book, _} = S) -> {reply, maps:find(Name, Book), S};
handle_call(count, _, {Book, N} = S) -> N = map_size(Book), {reply, N, S}.

handle_cast(_, S) -> {noreply, S}.
