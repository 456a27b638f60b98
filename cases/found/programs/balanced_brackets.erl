%% Brackets that close what was opened, three deep, are found letter by letter.
%%! depth("([])")   ==> 2
%%! depth("([)]")   ==> unbalanced
%%! depth("[[[]]]") ==> error deep
%%? depth/1 with bound 6, max 1000: finds error:deep for ([_,_,_,_,_,_]); failures = 1
-module(balanced_brackets).
-export([depth/1]).

-spec depth([$( | $) | $[ | $]]) -> integer() | unbalanced.
depth(Text) ->
    case scan(Text, [], 0) of
        3 -> error(deep);
        Depth -> Depth
    end.

scan([$( | Rest], Open, Deepest) -> scan(Rest, [$) | Open], max(Deepest, length(Open) + 1));
scan([$[ | Rest], Open, Deepest) -> scan(Rest, [$] | Open], max(Deepest, length(Open) + 1));
scan([C | Rest], [C | Open], Deepest) -> scan(Rest, Open, Deepest);
scan([], [], Deepest) -> Deepest;
scan(_, _, _) -> unbalanced.
