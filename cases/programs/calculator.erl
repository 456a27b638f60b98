%% A recursive descent parser and evaluator of sums.
%%! f("1+2*3")       ==> {ok,7}
%%! f("(1+2)*3-4/2") ==> {ok,7}
%%! f("2*(3+")       ==> {syntax,{unexpected,[]}}
%%! f("10/0")        ==> arithmetic
-module(calculator).
-export([f/1]).
f(S) -> try expr(S) of {V, []} -> {ok, V}; {_, Rest} -> {rest, Rest} catch throw:T -> {syntax,
    T}; error:badarith -> arithmetic end.
expr(S) -> {A, R} = term(S), expr(A, R).
expr(A, [$+ | R]) -> {B, R2} = term(R), expr(A + B, R2);
expr(A, [$- | R]) -> {B, R2} = term(R), expr(A - B, R2);
expr(A, R) -> {A, R}.
term(S) -> {A, R} = factor(S), term(A, R).
term(A, [$* | R]) -> {B, R2} = factor(R), term(A * B, R2);
term(A, [$/ | R]) -> {B, R2} = factor(R), term(A div B, R2);
term(A, R) -> {A, R}.
factor([$( | R]) -> case expr(R) of {V, [$) | R2]} -> {V, R2}; {_, R2} -> throw({expected, ")", R2}) end;
factor([D | _] = S) when D >= $0, D =< $9 -> {V, R} = string:to_integer(S), {V, R};
factor(S) -> throw({unexpected, S}).
