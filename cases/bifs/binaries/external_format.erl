%% Terms survive term_to_binary and back, each in its own encoding.
%%! f()                                     ==> []
%%! g(<<131, 97, 5>>)                       ==> 5
%%! g(<<131, 108, 0, 0, 0, 1, 97, 1, 106>>) ==> [1]
%%! g(<<131>>)                              ==> error badarg
%%! g(<<130, 97, 5>>)                       ==> error badarg
%%! g(<<131, 97, 5, 6>>)                    ==> 5
%%! g(a)                                    ==> error badarg
-module(external_format).
-export([f/0, g/1]).
f() ->
    Terms = [0, 255, 256, -1, 1 bsl 31, 1 bsl 64, -(1 bsl 3000), 1.5, a, "str", [a | b], [], {}, {1, {2}},
             #{k => [v]}, <<"bin">>, <<5:3>>, lists:seq(1, 300), erlang:make_tuple(300, x), fun lists:map/2],
    [T || T <- Terms, binary_to_term(term_to_binary(T)) =/= T].
g(B) -> binary_to_term(B).
