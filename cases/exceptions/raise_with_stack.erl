%% erlang:raise/3 takes old forms of a stack, and answers badarg for what is none.
%%! f(error, [])                                         ==> {error,reason,[]}
%%! f(exit, [{a, b, 1}])                                 ==> {exit,reason,[{a,b,1,[]}]}
%%! f(throw, [{a, b, [1], [{line, 3}]}, {a, b, -1, []}]) ==> {throw,reason,[{a,b,[1],[{line,3}]},{a,b,-1,[]}]}
%%! f(error, lists:duplicate(12, {m, f, 1, []}))         ==> {error,reason,[{m,f,1,[]},{m,f,1,[]},{m,f,1,[]},{m,f,1,[]},{m,f,1,[]},{m,f,1,[]},{m,f,1,[]},{m,f,1,[]}]}
%%! f(error, x)                                          ==> {answered,badarg}
%%! f(error, [x])                                        ==> {answered,badarg}
%%! f(error, [{a, b, 1, x}])                             ==> {answered,badarg}
%%! f(error, [{a, b, 1, []} | x])                        ==> {answered,badarg}
%%! f(foo, [])                                           ==> {answered,badarg}
%%! again()                                              ==> {throw,outer,raise_with_stack,again}
%%! info()                                               ==> {raise_with_stack,info,[1,2],{error_info,#{cause => c}}}
%%! info_ignored()                                       ==> {raise_with_stack,info_ignored,0,false}
-module(raise_with_stack).
-export([f/2, again/0, info/0, info_ignored/0]).
f(Class, Stack) -> try {answered, erlang:raise(Class, reason, Stack)} catch C:R:S -> {C, R, S} end.
again() ->
    try
        try error(inner) catch error:inner:S -> erlang:raise(throw, outer, S) end
    catch C:R:Stack -> {C, R, element(1, hd(Stack)), element(2, hd(Stack))}
    end.
info() -> try erlang:error(r, [1, 2], [{error_info, #{cause => c}}]) catch error:r:S -> shown(hd(S)) end.
info_ignored() -> try erlang:error(r, none, [{error_info, 1}]) catch error:r:S -> shown(hd(S)) end.
shown({M, F, A, Location}) -> {M, F, A, lists:keyfind(error_info, 1, Location)}.
