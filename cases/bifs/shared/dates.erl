%% Seconds since 1970 and dates; the zone is UTC.
%%! [erlang:posixtime_to_universaltime(S) || S <- [0, 86399, 86400, 951782400, 1709164800, 4102444800, -1, -86400, 253402300799]] ==> [{{1970,1,1},{0,0,0}},{{1970,1,1},{23,59,59}},{{1970,1,2},{0,0,0}},{{2000,2,29},{0,0,0}},{{2024,2,29},{0,0,0}},{{2100,1,1},{0,0,0}},{{1969,12,31},{23,59,59}},{{1969,12,31},{0,0,0}},{{9999,12,31},{23,59,59}}]
%%! [erlang:universaltime_to_posixtime({D, {1, 2, 3}}) || D <- [{1970, 1, 1}, {2000, 2, 29}, {1900, 3, 1}, {1600, 1, 1}, {2400, 12, 31}]] ==> [3723,951786123,-2203887477,-11676092277,13601005323]
%%! erlang:universaltime_to_posixtime({{2001, 2, 29}, {0, 0, 0}}) ==> error badarg
%%! erlang:universaltime_to_posixtime({{1599, 1, 1}, {0, 0, 0}}) ==> error badarg
%%! erlang:universaltime_to_posixtime({{2001, 1, 1}, {24, 0, 0}}) ==> error badarg
%%! erlang:universaltime_to_posixtime(x) ==> error badarg
%%! erlang:posixtime_to_universaltime(x) ==> error badarg
%%! [{erlang:universaltime_to_localtime(T), [erlang:localtime_to_universaltime(T, Dst) || Dst <- [false, undefined]]} || T <- [{{1902, 1, 1}, {0, 0, 0}}, {{1969, 12, 31}, {23, 59, 59}}, {{2024, 2, 29}, {0, 30, 0}}]] ==> [{{{1902,1,1},{0,0,0}},[{{1902,1,1},{0,0,0}},{{1902,1,1},{0,0,0}}]},{{{1969,12,31},{23,59,59}},[{{1969,12,31},{23,59,59}},{{1969,12,31},{23,59,59}}]},{{{2024,2,29},{0,30,0}},[{{2024,2,29},{0,30,0}},{{2024,2,29},{0,30,0}}]}]
%%! erlang:universaltime_to_localtime({{1901, 12, 31}, {23, 59, 59}}) ==> error badarg
%%! erlang:localtime_to_universaltime({{1901, 12, 31}, {23, 59, 59}}, false) ==> error badarg
%%! erlang:localtime_to_universaltime({{2001, 1, 1}, {0, 0, 0}}, perhaps) ==> error badarg
%%! back_and_forth()                     ==> []
-module(dates).
-export([back_and_forth/0]).
back_and_forth() ->
    [S || S <- lists:seq(-1000000000, 10000000000, 123456789), erlang:universaltime_to_posixtime(erlang:posixtime_to_universaltime(S)) =/= S].
