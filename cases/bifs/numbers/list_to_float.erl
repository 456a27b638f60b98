%% A float needs digits on both sides of the point.
%%! [f(S) || S <- ["1.0", "-1.5", "+2.5", "1.0e10", "1.5E-3", "0.1", "123456789.123456789"]] ==> [1.0,-1.5,2.5,1.0e10,0.0015,0.1,123456789.12345679]
%%! [f(S) || S <- ["1", "1.", ".5", "1e5", "1.0e", "1.0e400", "", " 1.0", "1.0 ", abc]] ==> [badarg,badarg,badarg,badarg,badarg,badarg,badarg,badarg,badarg,badarg]
-module(list_to_float).
-export([f/1]).
f(S) -> try list_to_float(S) catch error:R -> R end.
