%% A binary grown at its front.
%%! f(10) ==> <<10,9,8,7,6,5,4,3,2,1>>
-module(prepend).
-export([f/1]).
f(N) -> lists:foldl(fun(I, Acc) -> <<I, Acc/binary>> end, <<>>, lists:seq(1, N)).
