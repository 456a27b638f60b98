%% Bug: a line end of two characters that is split between two chunks is not put together again.
%% Needs: 3 calls, the end of one binary and the start of the next.
%% Scenario: {ok, P} = line_feeder:start_link(), 0 = line_feeder:feed(P, <<"ab\r">>), line_feeder:feed(P, <<"\ncd">>)
%%? client: finds error:{stray, line_feed}
-module(line_feeder).
-behaviour(gen_server).
-export([start_link/0, feed/2, pending/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

%% The number of lines that were completed.
-spec feed(pid(), binary()) -> non_neg_integer().
feed(Feeder, Chunk) -> gen_server:call(Feeder, {feed, Chunk}).

-spec pending(pid()) -> binary().
pending(Feeder) -> gen_server:call(Feeder, pending).

init([]) -> {ok, {<<>>, text}}.

handle_call({feed, Chunk}, _, {Rest, Mode}) ->
    Mode =:= return andalso binary:first(<<Chunk/binary, 0>>) =:= $\n andalso error({stray, line_feed}),
    {Lines, Last} = lines(Chunk, Rest, 0),
    {reply, Lines, {Last, mode(Chunk)}};
handle_call(pending, _, {Rest, _} = S) -> {reply, Rest, S}.

handle_cast(_, S) -> {noreply, S}.

lines(<<"\r\n", Bytes/binary>>, _, N) -> lines(Bytes, <<>>, N + 1);
lines(<<Byte, Bytes/binary>>, Line, N) -> lines(Bytes, <<Line/binary, Byte>>, N);
lines(<<>>, Line, N) -> {N, Line}.

mode(<<>>) -> text;
mode(Chunk) ->
    case binary:last(Chunk) of
        $\r -> return;
        _ -> text
    end.
