%% The three classes, caught by name, by variable and by default (throw).
%%! [f(K) || K <- [throw, error, exit]] ==> [{throw,ball},{error,mistake},{exit,bye}]
%%! g(throw)                            ==> {thrown,ball}
%%! g(error)                            ==> error mistake
%%! h(exit)                             ==> {exit,bye}
-module(classes).
-export([f/1, g/1, h/1]).
f(K) -> try raise(K) catch Class:Reason -> {Class, Reason} end.
g(K) -> try raise(K) catch Thrown -> {thrown, Thrown} end.
h(K) -> try raise(K) catch error:_ -> wrong; exit:R -> {exit, R} end.
raise(throw) -> throw(ball);
raise(error) -> error(mistake);
raise(exit) -> exit(bye).
