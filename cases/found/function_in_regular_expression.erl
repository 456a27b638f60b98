%% A function among the arguments of a native function that takes none is a bad argument.
%%! run([fun(X) -> X end])   ==> error badarg
%%! compile(fun() -> ok end) ==> error badarg
%%! replace(fun(X) -> X end) ==> error badarg
%%! packet(fun(X) -> X end)  ==> error badarg
-module(function_in_regular_expression).
-export([run/1, compile/1, replace/1, packet/1]).
run(Options) -> re:run("abc", "b", Options).
compile(Pattern) -> re:compile(Pattern).
replace(Subject) -> re:replace(Subject, "a", "b").
packet(Packet) -> erlang:decode_packet(line, Packet, []).
