%% Prices are parsed by a linked helper process, which takes the server along if the text is not a number.
%%? client: finds error:badarg
%% Scenario: {ok, P} = linked_helper_crashes:start(), ok = linked_helper_crashes:quote(P, tea, "12"), timer:sleep(20), {ok, 12} = linked_helper_crashes:price(P, tea), ok = linked_helper_crashes:quote(P, tea, "1x"), timer:sleep(20), linked_helper_crashes:price(P, tea)
-module(linked_helper_crashes).
-behaviour(gen_server).
-export([start/0, quote/3, price/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-spec start() -> {ok, pid()}.
start() -> gen_server:start(?MODULE, [], []).

-spec quote(pid(), Item :: atom(), Text :: nonempty_string()) -> ok.
quote(Server, Item, Text) -> gen_server:cast(Server, {quote, Item, Text}).

-spec price(pid(), Item :: atom()) -> {ok, integer()} | error.
price(Server, Item) -> gen_server:call(Server, {price, Item}).

init([]) -> {ok, #{}}.

handle_call({price, Item}, _, Prices) -> {reply, maps:find(Item, Prices), Prices}.

handle_cast({quote, Item, Text}, Prices) ->
    Server = self(),
    spawn_link(fun() -> Server ! {price, Item, list_to_integer(Text)} end),
    {noreply, Prices}.

handle_info({price, Item, Price}, Prices) when is_integer(Price) -> {noreply, Prices#{Item => Price}};
handle_info(_, Prices) -> {noreply, Prices}.
