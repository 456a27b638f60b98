%% Summer time in a zone that has none is an hour ahead.
%%= Newer C libraries do not believe in it.
%%! erlang:localtime_to_universaltime({{1902, 1, 1}, {0, 0, 0}}, true) ==> {{1901,12,31},{23,0,0}}
%%! erlang:localtime_to_universaltime({{1969, 12, 31}, {23, 59, 59}}, true) ==> {{1969,12,31},{22,59,59}}
%%! erlang:localtime_to_universaltime({{2024, 2, 29}, {0, 30, 0}}, true) ==> {{2024,2,28},{23,30,0}}
-module(dates_of_summer).
