%% ~p shows printable lists and binaries as text, ~w never; ~lp always as lists.
%%! f("~p ~w", ["abc", "abc"])                ==> "\"abc\" [97,98,99]"
%%! f("~p ~w", [<<"abc">>, <<"abc">>])        ==> "<<\"abc\">> <<97,98,99>>"
%%! f("~lp ~p", ["abc", [1, "x", {"y"}]])     ==> "[97,98,99] [1,\"x\",{\"y\"}]"
%%! f("~p ~tp", [<<"é"/utf8>>, <<"é"/utf8>>]) ==> "<<\"Ã©\">> <<\"é\"/utf8>>"
%%! f("~p ~w", ['a b', 'a b'])                ==> "'a b' 'a b'"
-module(strings_in_p).
-export([f/2]).
f(Format, Args) -> lists:flatten(io_lib:format(Format, Args)).
