%% Lists that are never empty, and lists whose end is declared.
%%! first([x])    ==> x
%%! last([1 | x]) ==> 1
%%? first/1: clean; exhausts
%%? last/1 with bound 3, max 50: finds error:three for ([_,_,_|x]); failures = 1
-module(nonempty_and_improper).
-export([first/1, last/1]).

-spec first([atom(), ...]) -> atom().
first(L) -> hd(L).

-spec last(nonempty_improper_list(integer(), x)) -> non_neg_integer().
last(L) -> count(L, 0).

count([_ | Rest], N) -> count(Rest, N + 1);
count(x, 3) -> error(three);
count(x, N) -> N.
