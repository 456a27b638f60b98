%% A compiled pattern is used like a plain one.
%%! f(<<"one;two,three">>) ==> {[{3,1},{7,1}],[<<"one">>,<<"two">>,<<"three">>]}
-module(compiled_patterns).
-export([f/1]).
f(B) -> P = binary:compile_pattern([<<";">>, <<",">>]), {binary:matches(B, P), binary:split(B, P, [global])}.
