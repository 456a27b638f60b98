%% Bug: locks are expected to be released in the reverse order in which they were taken.
%% Needs: 4 calls, the older of two tokens.
%% Scenario: {ok, P} = lock_order:start_link(), A = lock_order:lock(P), _ = lock_order:lock(P), lock_order:unlock(P, A)
%%? client: finds error:{badmatch, _}
-module(lock_order).
-behaviour(gen_server).
-export([start_link/0, lock/1, unlock/2, held/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-type lock() :: reference().

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec lock(pid()) -> lock().
lock(Server) -> gen_server:call(Server, lock).

-spec unlock(pid(), lock()) -> ok | not_held.
unlock(Server, Lock) -> gen_server:call(Server, {unlock, Lock}).

-spec held(pid()) -> non_neg_integer().
held(Server) -> gen_server:call(Server, held).

init([]) -> {ok, []}.

handle_call(lock, _, Locks) ->
    Lock = make_ref(),
    {reply, Lock, [Lock | Locks]};
handle_call({unlock, Lock}, _, Locks) ->
    case lists:member(Lock, Locks) of
        true -> [Lock | Rest] = Locks, {reply, ok, Rest};
        false -> {reply, not_held, Locks}
    end;
handle_call(held, _, Locks) -> {reply, length(Locks), Locks}.

handle_cast(_, Locks) -> {noreply, Locks}.
