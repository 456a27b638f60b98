%% Failures that are about an alternative of a declared union, and failures that are not.
-module(alternatives).
-export([append/2, open/2, convert/2, shorten/1, codepoints/1]).

%% Text is declared as a binary or a list; no list is taken.
-spec append(binary(), binary() | [byte()]) -> binary().
append(Text, Suffix) -> <<Text/binary, Suffix/binary>>.

%% The mode `safe` is declared, and has no clause.
-spec open(read | write | safe, non_neg_integer()) -> non_neg_integer().
open(read, Size) -> Size;
open(write, Size) -> Size + 1.

%% Which kind of argument is taken depends on the other one, and each is by one of them.
-spec convert(text | number, binary() | integer()) -> non_neg_integer().
convert(text, Text) -> byte_size(Text);
convert(number, Number) -> abs(Number).

%% Only the empty list is not taken.
-spec shorten(binary() | [byte()]) -> binary() | [byte()].
shorten([_ | Rest]) -> Rest;
shorten(<<_, Rest/binary>>) -> Rest;
shorten(<<>>) -> <<>>.

%% What no clause takes is the error of a function that is called here, and no input.
-spec codepoints(binary()) -> {ok, non_neg_integer()} | {error, term()}.
codepoints(Bytes) -> count(unicode:characters_to_list(Bytes)).

count(Points) when is_list(Points) -> {ok, length(Points)}.
