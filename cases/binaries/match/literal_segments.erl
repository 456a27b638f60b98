%% Literals and strings inside patterns are compared.
%%! f(<<"GET /index">>)         ==> {get,<<"/index">>}
%%! f(<<"POST /form">>)         ==> {post,<<"/form">>}
%%! f(<<0:4, 5:4, 16#cafe:16>>) ==> {magic,5}
%%! f(<<1.0/float>>)            ==> one
%%! f(<<"PUT">>)                ==> unknown
-module(literal_segments).
-export([f/1]).
f(<<"GET ", Path/binary>>) -> {get, Path};
f(<<"POST ", Path/binary>>) -> {post, Path};
f(<<0:4, N:4, 16#cafe:16>>) -> {magic, N};
f(<<1.0/float>>) -> one;
f(_) -> unknown.
