%% io_lib:fread reads by format.
%%! f("~d", "42 rest")         ==> {ok,"*"," rest"}
%%! f("~d ~s ~f", "1 two 3.5") ==> {ok,[1,"two",3.5],[]}
%%! f("~d", "x")               ==> {error,{fread,integer}}
%%! f("~a ~c", "key v")        ==> {ok,[key,"v"],[]}
%%! f("~d ~d", "1")            ==> {more,"~d",1,[1]}
%%! f("~16u", "ff")            ==> {ok,"ÿ",[]}
-module(reading).
-export([f/2]).
f(Format, String) -> io_lib:fread(Format, String).
