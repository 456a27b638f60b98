%% Arithmetic on the wrong kinds, by operators and by name.
%%! [f(Op) || Op <- ['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr']] ==> [badarith,badarith,badarith,badarith,badarith,badarith,badarith,badarith,badarith,badarith,badarith]
%%! g(x)   ==> {badarith,badarith}
%%! h(1.5) ==> {badarith,badarith}
-module(badarith_reasons).
-export([f/1, g/1, h/1]).
f(Op) -> try erlang:Op(a, 1) catch error:R -> R end.
g(X) -> try -X catch error:R -> {R, try bnot X catch error:R2 -> R2 end} end.
h(X) -> try X div 1 catch error:R -> {R, try X bsl 1 catch error:R2 -> R2 end} end.
