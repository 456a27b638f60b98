%% An IPv4-like header: many fields, some small, options by length.
%%! f(<<4:4, 5:4, 0, 40:16, 1:16, 0:3, 100:13, 64, 6, 0:16, 10, 0, 0, 1, 10, 0, 0, 2, "data">>) ==> {5,40,0,100,64,6,167772161,167772162,<<"data">>}
%%! f(<<4:4, 6:4, 0, 40:16, 1:16, 2:3, 0:13, 64, 17, 0:16, 1:32, 2:32, "optsX">>) ==> {6,40,2,0,64,17,1,2,<<"optsX">>}
%%! f(<<6:4, 0:4>>) ==> not_v4
-module(packet).
-export([f/1]).
f(<<4:4, Hlen:4, _Tos, Len:16, _Id:16, Flags:3, Off:13, Ttl, Proto, _Sum:16, Src:32, Dst:32, Rest/binary>>) ->
    {Hlen, Len, Flags, Off, Ttl, Proto, Src, Dst, Rest};
f(_) -> not_v4.
