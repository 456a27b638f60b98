%% Output returns ok; a wrong format raises.
%%! f("")       ==> {ok,ok,ok}
%%! g("~p", []) ==> error badarg
-module(output).
-export([f/1, g/2]).
f(S) -> {io:put_chars(S), io:format(S), io:format(S, [])}.
g(Format, Args) -> io:format(Format, Args).
