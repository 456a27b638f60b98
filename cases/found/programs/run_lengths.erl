%% A count without a letter behind it is not decoded, and neither is a letter without a count.
%%! decode("2a3b") ==> "aabbb"
%%! decode("12x")  ==> "xxxxxxxxx"
%%! decode("3")    ==> error {badmatch,{none,3}}
%%! decode("x")    ==> error {badmatch,{none,0}}
%%? decode/1 with max 400: finds error:{badmatch,_} for ([_|_]); failures >= 1
-module(run_lengths).
-export([decode/1]).

-spec decode([$0..$9 | $a..$z]) -> string().
decode([]) -> [];
decode(Text) ->
    {Count, [Letter | Rest]} = count(Text, 0),
    lists:duplicate(min(Count, 9), Letter) ++ decode(Rest).

count([D | Rest], Count) when D >= $0, D =< $9 -> count(Rest, 10 * Count + D - $0);
count([_ | _] = Rest, Count) when Count > 0 -> {Count, Rest};
count(_, Count) -> {none, Count}.
