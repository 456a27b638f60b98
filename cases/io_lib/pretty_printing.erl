%% ~p breaks long terms into lines; ~P and ~W cut by depth.
%%! f("~p", [lists:seq(1000, 1030)])                         ==> "[1000,1001,1002,1003,1004,1005,1006,1007,1008,1009,1010,1011,1012,1013,1014,\n 1015,1016,1017,1018,1019,1020,1021,1022,1023,1024,1025,1026,1027,1028,1029,\n 1030]"
%%! f("~p", [#{100 => "a rather long value of text", 20000 => {tuple, [with, many, things], in_it}}]) ==> "#{100 => \"a rather long value of text\",\n  20000 => {tuple,[with,many,things],in_it}}"
%%! f("~P|~W", [[1, 2, 3, 4, 5, 6], 3, {a, {b, {c, d}}}, 3]) ==> "[1,2|...]|{a,{...}}"
%%! f("~30p", [{abcdefghij, klmnopqrst, uvwxyzabcd}])        ==> "{abcdefghij,klmnopqrst,\n            uvwxyzabcd}"
%%! f("~0p", [lists:seq(1, 40)])                             ==> "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]"
-module(pretty_printing).
-export([f/2]).
f(Format, Args) -> lists:flatten(io_lib:format(Format, Args)).
