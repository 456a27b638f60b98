%% Every number of seconds of 64 bits has a date, however far away.
%%! date_of(36028797018963968)    ==> {{1141709097,6,13},{6,26,8}}
%%! date_of(-9223372036854775808) ==> {{-292277022657,1,26},{8,29,52}}
%%! date_of(9223372036854775807)  ==> {{292277026596,12,4},{15,30,7}}
%%! date_of(9223372036854775808)  ==> error badarg
-module(far_dates).
-export([date_of/1]).
date_of(Seconds) -> erlang:posixtime_to_universaltime(Seconds).
