%% Which types a part has depends on what stands beside it.
%%! pair({[[1]], b}) ==> error boom
%%! pair({1, b, c})  ==> ok
%%? pair/1: finds error:boom for ({[[1]], b}); failures = 1; exhausts
%%? deep/1 with max 2000: finds error:boom for ([{[[1], [2]], [3.5]}, 2])
-module(parts_beside_others).
-export([pair/1, deep/1]).

-spec pair({[[integer()]], b} | integer() | {any(), b, c}) -> ok.
pair({[[1]], _}) -> error(boom);
pair(_) -> ok.

-spec deep([{[[integer()]], [float()]} | integer() | {any(), [float()], atom()}]) -> ok.
deep([{[[1], [2]], [3.5]}, 2]) -> error(boom);
deep(_) -> ok.
