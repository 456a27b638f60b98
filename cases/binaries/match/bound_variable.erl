%% A bound variable in a segment is compared with the data.
%%! f(7, <<7, 8>>)          ==> {same,<<"\b">>}
%%! f(8, <<7, 8>>)          ==> different
%%! g(<<"ab">>, <<"abcd">>) ==> {prefix,<<"cd">>}
%%! g(<<"ax">>, <<"abcd">>) ==> no
%%! h(<<3, 3>>)             ==> twins
%%! h(<<3, 4>>)             ==> others
-module(bound_variable).
-export([f/2, g/2, h/1]).
f(X, B) -> case B of <<X, R/binary>> -> {same, R}; _ -> different end.
g(P, B) -> N = byte_size(P), case B of <<P:N/binary, R/binary>> -> {prefix, R}; _ -> no end.
h(<<X, X>>) -> twins;
h(_) -> others.
