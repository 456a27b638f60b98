%% A generator that is not a list raises bad_generator, also in the middle.
%%! f(x)          ==> error {bad_generator,x}
%%! f([1, 2 | y]) ==> error {bad_generator,y}
%%! f({1, 2})     ==> error {bad_generator,{1,2}}
%%! g(x)          ==> error {bad_generator,x}
%%! h([1])        ==> error {bad_generator,[1]}
%%! h(<<1, 2:4>>) ==> [1]
-module(bad_generator).
-export([f/1, g/1, h/1]).
f(L) -> [X || X <- L].
g(L) -> [{X, Y} || X <- [1, 2], Y <- L].
h(B) -> [X || <<X>> <= B].
