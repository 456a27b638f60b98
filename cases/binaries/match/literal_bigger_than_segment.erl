%% A literal that does not fit its segment never matches; a negative one needs signed.
%%! f(<<0>>)   ==> {byte,0}
%%! f(<<255>>) ==> {byte,255}
%%! g(<<255>>) ==> minus_one
%%! g(<<254>>) ==> -2
-module(literal_bigger_than_segment).
-export([f/1, g/1]).
f(<<256>>) -> impossible;
f(<<-1>>) -> impossible_too;
f(<<X>>) -> {byte, X}.
g(<<-1/signed>>) -> minus_one;
g(<<X/signed>>) -> X.
