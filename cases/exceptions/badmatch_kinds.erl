%% Each construct that fails names itself and its value.
%%! [f(K) || K <- [match, 'case', 'if', 'fun', call, map_update, map_exact, boolean, record]] ==> [{badmatch,x},{case_clause,x},if_clause,function_clause,function_clause,{badmap,x},{badkey,x},{badarg,x},{badrecord,x}]
-module(badmatch_kinds).
-export([f/1]).
-record(r, {a}).
f(K) -> try go(K, id(x)) catch error:R -> R end.
go(match, X) -> y = X;
go('case', X) -> case X of y -> ok end;
go('if', X) -> if X =:= y -> ok end;
go('fun', X) -> (fun(y) -> ok end)(X);
go(call, X) -> only_y(X);
go(map_update, X) -> X#{k => v};
go(map_exact, X) -> #{}#{X := v};
go(boolean, X) -> X andalso true;
go(record, X) -> X#r.a.
only_y(y) -> ok.
id(X) -> X.
