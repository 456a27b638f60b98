%% Segments named _ are skipped but still must be there.
%%! f(<<1, 2, 3>>)   ==> {third,3}
%%! f(<<1, 2>>)      ==> short
%%! g(<<"é!"/utf8>>) ==> <<"!">>
-module(skipping).
-export([f/1, g/1]).
f(<<_, _:8, X>>) -> {third, X};
f(_) -> short.
g(<<_/utf8, R/binary>>) -> R.
