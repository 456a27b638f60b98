%% Binary segments are appended whole, or a part of the given size.
%%! f(<<"abcd">>)    ==> <<"<abcd>">>
%%! f(<<"a">>)       ==> <<"<a>">>
%%! f(<<1:4>>)       ==> error badarg
%%! f("abcd")        ==> error badarg
%%! g(<<"abcd">>, 3) ==> <<"abc!">>
%%! g(<<"abcd">>, 0) ==> <<"!">>
%%! g(<<"abcd">>, 5) ==> error badarg
-module(binary_segments).
-export([f/1, g/2]).
f(B) -> <<$<, B/binary, $>>>.
g(B, N) -> <<B:N/binary, "!">>.
