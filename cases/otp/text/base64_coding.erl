%% base64 in both directions, with padding and errors.
%%! [f(B) || B <- [<<>>, <<"a">>, <<"ab">>, <<"abc">>, <<255, 254>>]] ==> [{<<>>,true},{<<"YQ==">>,true},{<<"YWI=">>,true},{<<"YWJj">>,true},{<<"//4=">>,true}]
%%! g("aGVsbG8=")  ==> <<"hello">>
%%! g("aGVs bG8=") ==> <<"hello">>
%%! g("a")         ==> error function_clause
%%! g("****")      ==> error badarg
-module(base64_coding).
-export([f/1, g/1]).
f(B) -> E = base64:encode(B), {E, base64:decode(E) =:= B}.
g(S) -> base64:decode(S).
