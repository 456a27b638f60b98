%% Timers can be set until the clock ends.
%%! set(1 bsl 40)          ==> ok
%%! set(9000000000000)     ==> ok
%%! set(9300000000000)     ==> error badarg
%%! set(1 bsl 49)          ==> error badarg
%%! set(1 bsl 62)          ==> error badarg
%%! set_for(0)             ==> ok
%%! set_for(-576460752000) ==> ok
%%! set_for(-576460752001) ==> error badarg
%%! set_for(8646911283000) ==> ok
%%! set_for(8646911283001) ==> error badarg
%%! set_for(1 bsl 70)      ==> error badarg
%%? set/1: finds error:badarg for (N) when N > 9223372030000; failures = 1; exhausts
%%? set_for/1: finds error:badarg for (_); failures = 1; incomplete
-module(times_out_of_reach).
-export([set/1, set_for/1]).

-spec set(non_neg_integer()) -> ok.
set(Time) -> erlang:send_after(Time, self(), late), ok.

-spec set_for(integer()) -> ok.
set_for(Time) -> erlang:send_after(Time, self(), late, [{abs, true}]), ok.
