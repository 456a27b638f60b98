%% A timeout is looked at only when no message matches.
%%! f(0)        ==> got
%%! f(-1)       ==> got
%%! f(a)        ==> got
%%! f(1 bsl 80) ==> got
-module(after_bad_ignored).
-export([f/1]).
f(T) -> self() ! x, receive x -> got after T -> timed_out end.
