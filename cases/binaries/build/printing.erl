%% How binaries print: text when printable, numbers otherwise, the last bits with their size.
%%! f(0) ==> [<<>>,<<"text">>,<<0>>,<<"tab\t\n">>,<<"È">>,<<"é"/utf8>>,<<1:1>>,<<97,98,1:7>>,<<"\"q\\">>,<<127>>]
-module(printing).
-export([f/1]).
f(_) -> [<<>>, <<"text">>, <<0>>, <<"tab\t\n">>, <<200>>, <<"é"/utf8>>, <<1:1>>, <<"ab", 1:7>>, <<"\"q\\">>, <<127>>].
