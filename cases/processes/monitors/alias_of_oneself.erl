%% A monitor of oneself is no alias; which kind of alias a monitor is may be an input.
%%! own(explicit_unalias) ==> nothing
%%! own(demonitor)        ==> nothing
%%! own(reply_demonitor)  ==> nothing
%%! kind(demonitor)       ==> ok
%%! kind(nothing)         ==> error badarg
%%? kind/1: finds error:badarg for (_); failures = 1; exhausts
-module(alias_of_oneself).
-export([own/1, kind/1]).

own(Kind) ->
    Alias = monitor(process, self(), [{alias, Kind}]),
    Alias ! hello,
    receive hello -> got_it after 10 -> nothing end.

-spec kind(atom()) -> ok.
kind(Kind) ->
    P = spawn(fun() -> ok end),
    monitor(process, P, [{alias, Kind}]),
    ok.
