%% A stack that keeps its top apart from the rest. Popping the last item leaves a state that no clause of pop expects.
%%? client: finds error:function_clause
%% Scenario: {ok, P} = stack_second_pop:start_link(0), {ok, 0} = stack_second_pop:pop(P), stack_second_pop:pop(P)
-module(stack_second_pop).
-behaviour(gen_server).
-export([start_link/1, push/2, pop/1, size/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link(integer()) -> {ok, pid()}.
start_link(First) -> gen_server:start_link(?MODULE, First, []).

-spec push(pid(), integer()) -> ok.
push(Stack, X) -> gen_server:cast(Stack, {push, X}).

-spec pop(pid()) -> {ok, integer()} | empty.
pop(Stack) -> gen_server:call(Stack, pop).

-spec size(pid()) -> non_neg_integer().
size(Stack) -> gen_server:call(Stack, size).

init(First) -> {ok, {{top, First}, []}}.

handle_call(pop, _, {{top, X}, [Next | Rest]}) -> {reply, {ok, X}, {{top, Next}, Rest}};
handle_call(pop, _, {{top, X}, []}) -> {reply, {ok, X}, {none, []}};
handle_call(size, _, {none, []} = S) -> {reply, 0, S};
handle_call(size, _, {_, Rest} = S) -> {reply, 1 + length(Rest), S}.

handle_cast({push, X}, {none, []}) -> {noreply, {{top, X}, []}};
handle_cast({push, X}, {{top, Y}, Rest}) -> {noreply, {{top, X}, [Y | Rest]}}.
