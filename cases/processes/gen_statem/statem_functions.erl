%% A gen_statem with one function for each state: a door with a code.
%%! opened()           ==> {locked,locked,open,ok,locked}
%%! wrong_then_right() ==> {locked,locked,open}
%%! in_state()         ==> {locked,[1,2,3]}
%%! stopped()          ==> {ok,{terminated,normal,open}}
-module(statem_functions).
-behaviour(gen_statem).
-export([opened/0, wrong_then_right/0, in_state/0, stopped/0, init/1, callback_mode/0, locked/3, open/3, terminate/3]).
callback_mode() -> state_functions.
init({Code, To}) -> {ok, locked, #{code => Code, left => Code, to => To}}.
locked(cast, {button, B}, #{left := [B]} = D) -> {next_state, open, D#{left := maps:get(code, D)}};
locked(cast, {button, B}, #{left := [B | Left]} = D) -> {keep_state, D#{left := Left}};
locked(cast, {button, _}, D) -> {keep_state, D#{left := maps:get(code, D)}};
locked({call, From}, state, _) -> {keep_state_and_data, [{reply, From, locked}]}.
open(cast, {button, _}, _) -> keep_state_and_data;
open(cast, close, D) -> {next_state, locked, D};
open({call, From}, state, D) -> {keep_state, D, {reply, From, open}}.
terminate(Why, State, #{to := To}) -> To ! {terminated, Why, State}.
start() -> {ok, P} = gen_statem:start(?MODULE, {[1, 2, 3], self()}, []), P.
press(P, Buttons) -> [gen_statem:cast(P, {button, B}) || B <- Buttons], gen_statem:call(P, state).
opened() -> P = start(), {gen_statem:call(P, state), press(P, [1, 2]), press(P, [3]), gen_statem:cast(P, close), press(P, [])}.
wrong_then_right() -> P = start(), {press(P, [1, 2, 1]), press(P, [2, 3]), press(P, [1, 2, 3])}.
in_state() -> P = start(), {State, #{left := Left}} = sys:get_state(P), {State, Left}.
stopped() -> P = start(), press(P, [1, 2, 3]), {gen_statem:stop(P), receive M -> M end}.
