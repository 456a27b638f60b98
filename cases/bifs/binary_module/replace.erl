%% binary:replace, also global and with the match kept.
%%! f(<<"a-b-c">>) ==> {<<"a+b-c">>,<<"a+b+c">>,<<"-b-">>}
%%! g(<<"a-b-c">>) ==> {<<"a[-]b[-]c">>,<<"a-b-c">>}
-module(replace).
-export([f/1, g/1]).
f(B) -> {binary:replace(B, <<"-">>, <<"+">>), binary:replace(B, <<"-">>, <<"+">>, [global]),
    binary:replace(B, [<<"a">>, <<"c">>], <<>>, [global])}.
g(B) -> {binary:replace(B, <<"-">>, <<"[]">>, [global, {insert_replaced, 1}]), binary:replace(B, <<"x">>, <<"y">>)}.
