%% A throw leaves a thousand frames at once.
%%! f(1000)   ==> bottom
%%! f(100000) ==> bottom
-module(deep_unwind).
-export([f/1]).
f(N) -> try dig(N) catch {found, X} -> X end.
dig(0) -> throw({found, bottom});
dig(N) -> [N | dig(N - 1)].
