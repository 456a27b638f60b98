%% A lock does not know what to do when it is locked while it is open by a button.
%%? drive/1 with bound 3: finds exit:{{function_clause, _}, {gen_statem, call, _}} for (L) when length(L) >= 2; failures = 1
-module(statem_forgets_an_event).
-behaviour(gen_statem).
-export([drive/1, init/1, callback_mode/0, closed/3, open/3, held/3]).

-spec drive([push | pull | hold]) -> atom().
drive(Events) ->
    {ok, P} = gen_statem:start(?MODULE, [], []),
    lists:foldl(fun(E, _) -> gen_statem:call(P, E) end, none, Events).

callback_mode() -> state_functions.
init([]) -> {ok, closed, none}.
closed({call, From}, push, D) -> {next_state, open, D, {reply, From, open}};
closed({call, From}, _, _) -> {keep_state_and_data, {reply, From, closed}}.
open({call, From}, pull, D) -> {next_state, closed, D, {reply, From, closed}};
open({call, From}, hold, D) -> {next_state, held, D, {reply, From, held}};
open({call, From}, push, _) -> {keep_state_and_data, {reply, From, open}}.
held({call, From}, pull, D) -> {next_state, open, D, {reply, From, open}};
held({call, From}, push, _) -> {keep_state_and_data, {reply, From, held}}.
