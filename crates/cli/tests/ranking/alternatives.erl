%% Failures that are about an alternative of a declared union, and failures that are not.
-module(alternatives).
-export([append/2, open/1, shorten/1, codepoints/1]).

%% Text is declared as a binary or a list; no list is taken.
-spec append(binary(), binary() | [byte()]) -> binary().
append(Text, Suffix) when byte_size(Text) > 1 -> <<Text/binary, Suffix/binary>>;
append(Text, _) -> Text.

%% The option `safe` is declared, and has no clause.
-spec open([read | write | safe]) -> 0..3.
open(Options) -> lists:foldl(fun mode/2, 0, Options).

mode(read, Modes) -> Modes bor 1;
mode(write, Modes) -> Modes bor 2.

%% Only the empty list is not taken.
-spec shorten(binary() | [byte()]) -> binary() | [byte()].
shorten([_ | Rest]) -> Rest;
shorten(<<_, Rest/binary>>) -> Rest;
shorten(<<>>) -> <<>>.

%% What no clause takes is the error of a function that is called here, and no input.
-spec codepoints(binary()) -> {ok, non_neg_integer()} | {error, term()}.
codepoints(Bytes) -> count(unicode:characters_to_list(Bytes)).

count(Points) when is_list(Points) -> {ok, length(Points)}.
