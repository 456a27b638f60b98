%% Bug: opening the door a second time with the right code meets a state without a clause.
%% Needs: 3 calls, a number equal to an earlier one.
%% Scenario: {ok, D} = door_code:install(4711), ok = door_code:open(D, 4711), door_code:open(D, 4711)
%%? client: finds error:function_clause
-module(door_code).
-behaviour(gen_server).
-export([install/1, open/2, shut/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec install(Code :: 0..999999) -> {ok, pid()}.
install(Code) -> gen_server:start(?MODULE, Code, []).

-spec open(pid(), Code :: 0..999999) -> ok | denied.
open(Door, Code) -> gen_server:call(Door, {open, Code}).

-spec shut(pid()) -> ok.
shut(Door) -> gen_server:call(Door, shut).

init(Code) -> {ok, {shut, Code}}.

handle_call({open, Code}, _, {shut, Code}) -> {reply, ok, {open, Code}};
handle_call({open, Wrong}, _, {_, Code} = S) when Wrong =/= Code -> {reply, denied, S};
handle_call(shut, _, {_, Code}) -> {reply, ok, {shut, Code}}.

handle_cast(_, S) -> {noreply, S}.
