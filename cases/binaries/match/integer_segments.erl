%% Integer segments of every endianness and sign.
%%! f(<<1, 2, 255, 254>>) ==> {16973822,4278125057,16973822,-16842239}
%%! g(<<255, 128>>)       ==> {-128,65408,-1,-128}
-module(integer_segments).
-export([f/1, g/1]).
f(B) ->
    <<A:32/big>> = B, <<L:32/little>> = B, <<S:32/signed>> = B, <<T:32/little-signed>> = B,
    {A, L, S, T}.
g(<<S:16/signed>> = B) ->
    <<U:16/unsigned>> = B,
    <<H/signed, T/signed>> = B,
    {S, U, H, T}.
