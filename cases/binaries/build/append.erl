%% A binary grown at its end is a new value: the old one stays.
%%! f()   ==> {<<1,2>>,<<1,2,3>>,<<1,2,4>>,<<1,2,3,1,2,4>>}
%%! g(10) ==> <<1,2,3,4,5,6,7,8,9,10>>
%%! h()   ==> <<41,203,23:5>>
-module(append).
-export([f/0, g/1, h/0]).
f() -> A = <<1, 2>>, B = <<A/binary, 3>>, C = <<A/binary, 4>>, {A, B, C, <<B/binary, C/binary>>}.
g(N) -> lists:foldl(fun(I, Acc) -> <<Acc/binary, I>> end, <<>>, lists:seq(1, N)).
h() -> lists:foldl(fun(I, Acc) -> <<Acc/bits, I:3>> end, <<>>, [1, 2, 3, 4, 5, 6, 7]).
