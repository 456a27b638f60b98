%% after T waits; what matches at once does not.
%%! f(1)        ==> timed_out
%%! f(20)       ==> timed_out
%%! g(infinity) ==> got
%%! g(100000)   ==> got
%%! h()         ==> slept
-module(after_time).
-export([f/1, g/1, h/0]).
f(T) -> receive never -> got after T -> timed_out end.
g(T) -> self() ! hello, receive hello -> got after T -> timed_out end.
h() -> receive after 1 -> slept end.
