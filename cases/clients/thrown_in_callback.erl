%% A calculator that leaves a computation by throw. The division throws for zero, but nobody catches it there:
%% the server takes it for its callback's answer.
%%? client: finds exit:{bad_return_value, _}
%% Scenario: {ok, P} = thrown_in_callback:start_link(), 8 = thrown_in_callback:apply_op(P, add, 8), {error, negative} = thrown_in_callback:root(P, -1), thrown_in_callback:apply_op(P, divide, 0)
-module(thrown_in_callback).
-behaviour(gen_server).
-export([start_link/0, apply_op/3, root/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, 0, []).

-spec apply_op(pid(), add | divide, integer()) -> integer().
apply_op(Calculator, Operation, N) -> gen_server:call(Calculator, {Operation, N}).

-spec root(pid(), integer()) -> integer() | {error, negative}.
root(Calculator, N) -> gen_server:call(Calculator, {root, N}).

init(N) -> {ok, N}.

handle_call({add, N}, _, Total) -> {reply, Total + N, Total + N};
handle_call({divide, N}, _, Total) -> Result = divide(Total, N), {reply, Result, Result};
handle_call({root, N}, _, Total) ->
    try root(N) of
        Root -> {reply, Root, Root}
    catch
        throw:Error -> {reply, Error, Total}
    end.

handle_cast(_, Total) -> {noreply, Total}.

divide(_, 0) -> throw({error, division_by_zero});
divide(A, B) -> A div B.

root(N) when N < 0 -> throw({error, negative});
root(N) -> climb(N, 0).

climb(N, R) when (R + 1) * (R + 1) > N; R >= 100 -> R;
climb(N, R) -> climb(N, R + 1).
