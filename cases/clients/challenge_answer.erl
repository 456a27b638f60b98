%% A lock that opens for who computes the answer from a challenge. Opened, it forgets to keep the challenge, which
%% the next question needs.
%%? client: finds error:{badkey, challenge}
%% Scenario: {ok, P} = challenge_answer:start_link(5), C = challenge_answer:challenge(P), ok = challenge_answer:answer(P, 3 * C + 1), challenge_answer:challenge(P)
-module(challenge_answer).
-behaviour(gen_server).
-export([start_link/1, challenge/1, answer/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link(pos_integer()) -> {ok, pid()}.
start_link(Seed) -> gen_server:start_link(?MODULE, Seed, []).

%% The number that the next answer is about.
-spec challenge(pid()) -> pos_integer().
challenge(Lock) -> gen_server:call(Lock, challenge).

-spec answer(pid(), integer()) -> ok | denied.
answer(Lock, Answer) -> gen_server:call(Lock, {answer, Answer}).

init(Seed) -> {ok, #{open => false, challenge => next(Seed)}}.

handle_call(challenge, _, S) ->
    {reply, maps:get(challenge, S), S};
handle_call({answer, A}, _, #{challenge := C}) when A =:= 3 * C + 1 ->
    {reply, ok, #{open => true}};
handle_call({answer, _}, _, #{open := true} = S) ->
    {reply, ok, S};
handle_call({answer, _}, _, #{challenge := C} = S) ->
    {reply, denied, S#{challenge := next(C)}}.

handle_cast(_, S) -> {noreply, S}.

next(N) -> (N * 7919 + 104729) rem 1000003 + 1.
