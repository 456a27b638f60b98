%% Clauses over one binary share a position and fall through by content.
%%! f(<<0, 1, 2>>)          ==> {pair,1,2}
%%! f(<<1, 5, "hello", 9>>) ==> {string,<<"hello">>,<<"\t">>}
%%! f(<<2, 255, 255>>)      ==> {number,-1}
%%! f(<<2, 0>>)             ==> {short_number,0}
%%! f(<<>>)                 ==> empty
-module(several_shapes).
-export([f/1]).
f(<<0, A, B>>) -> {pair, A, B};
f(<<1, N, S:N/binary, T/binary>>) -> {string, S, T};
f(<<2, N:16/signed>>) -> {number, N};
f(<<2, N/signed>>) -> {short_number, N};
f(<<_, _/binary>>) -> unknown;
f(<<>>) -> empty.
