%% Output is lost, but what cannot be printed raises.
%%! format("~p~n", [a])               ==> ok
%%! format("~p~n", [])                ==> error badarg
%%! format("~s", [a1])                ==> ok
%%! format("~s", [[1024]])            ==> error badarg
%%! format("~ts", [[1024]])           ==> ok
%%! format("~d", [1])                 ==> error badarg
%%! format(<<"~w">>, [1])             ==> ok
%%! format(foo, bar)                  ==> error badarg
%%! characters("abc")                 ==> ok
%%! characters([<<"a">>, $b, [c]])    ==> error badarg
%%! characters([<<255>>])             ==> error badarg
%%! io:nl()                           ==> ok
%%! io:format("no arguments")         ==> ok
%%! io:format(standard_error, "", []) ==> ok
%%! io:write({any, "term"})           ==> ok
-module(output_errors).
-export([format/2, characters/1]).
format(Format, Args) -> io:format(Format, Args).
characters(Chars) -> io:put_chars(Chars).
