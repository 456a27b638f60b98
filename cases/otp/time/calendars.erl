%% calendar: days, seconds, weeks, leap years.
%%! f({2024, 2, 29}) ==> {true,739310,{4,{2024,9}}}
%%! f({1970, 1, 1})  ==> {true,719528,{4,{1970,1}}}
%%! f({2023, 2, 29}) ==> {false,if_clause,if_clause}
%%! g(63871200000)   ==> {{{2023,12,31},{0,0,0}},{2,{7,33,20}},{1,1,1}}
%%! h()              ==> {[false,true,false,true],29,{60,{12,0,1}}}
-module(calendars).
-export([f/1, g/1, h/0]).
f(D) -> {calendar:valid_date(D), try calendar:date_to_gregorian_days(D) catch error:R -> R end,
    try {calendar:day_of_the_week(D), calendar:iso_week_number(D)} catch error:R2 -> R2 end}.
g(S) -> {calendar:gregorian_seconds_to_datetime(S), calendar:seconds_to_daystime(S rem 1000000), calendar:seconds_to_time(3661)}.
h() -> {[calendar:is_leap_year(Y) || Y <- [1900, 2000, 2023, 2024]], calendar:last_day_of_the_month(2024, 2),
    calendar:time_difference({{2024, 1, 1}, {0, 0, 0}}, {{2024, 3, 1}, {12, 0, 1}})}.
