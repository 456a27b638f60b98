%% A binary pattern on something else does not match.
%%! f([1, 2])   ==> no
%%! f(a)        ==> no
%%! g([1])      ==> error {badmatch,[1]}
%%! g(<<1, 2>>) ==> error {badmatch,<<1,2>>}
%%! h(<<1:3>>)  ==> bits
-module(not_a_binary).
-export([f/1, g/1, h/1]).
f(<<_/binary>>) -> binary;
f(_) -> no.
g(X) -> <<A>> = X, A.
h(<<_/binary>>) -> binary;
h(<<_/bits>>) -> bits.
