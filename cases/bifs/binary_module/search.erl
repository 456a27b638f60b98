%% binary:match, matches and split, with one pattern and several.
%%! f(<<"a,b;c,,d">>)   ==> {{1,1},[{1,1},{3,1},{5,1},{6,1}],[<<"a">>,<<"b;c,,d">>],[<<"a">>,<<"b">>,<<"c">>,<<>>,<<"d">>],[<<"a">>,<<"b;c">>,<<"d">>]}
%%! scope(<<"abcabc">>) ==> {{4,1},[{1,2},{4,2}],nomatch}
%%! f(<<>>)             ==> {nomatch,[],[<<>>],[<<>>],[]}
%%! g(<<"abc">>, <<>>)  ==> error badarg
%%! g(<<"abc">>, [])    ==> error badarg
%%! g(abc, <<"b">>)     ==> error badarg
-module(search).
-export([f/1, g/2, scope/1]).
f(B) ->
    {binary:match(B, <<",">>), binary:matches(B, [<<",">>, <<";">>]), binary:split(B, <<",">>),
     binary:split(B, [<<",">>, <<";">>], [global]), binary:split(B, <<",">>, [global, trim_all])}.
scope(B) -> {binary:match(B, <<"b">>, [{scope, {2, 4}}]), binary:matches(B, [<<"bc">>, <<"b">>]), binary:match(B, <<"x">>)}.
g(B, P) -> binary:match(B, P).
