%% Segments are expressions; defaults follow the type.
%%! f(3)        ==> <<4,0,6,3,3,101,110,100>>
%%! g(<<"ab">>) ==> <<0,0,0,2,97,98,97,98,97,98>>
-module(in_expressions).
-export([f/1, g/1]).
f(X) -> <<(X + 1), (X * 2):16, (list_to_binary([X, X]))/binary, "end">>.
g(B) -> <<(byte_size(B)):32, B/binary, (<<B/binary, B/binary>>)/binary>>.
