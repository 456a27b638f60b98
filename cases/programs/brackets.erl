%% Balanced brackets with a stack.
%%! f("([]{})") ==> balanced
%%! f("([)]")   ==> {unexpected,")"}
%%! f("((")     ==> {missing,2}
%%! f("")       ==> balanced
-module(brackets).
-export([f/1]).
f(S) -> f(S, []).
f([], []) -> balanced;
f([], Open) -> {missing, length(Open)};
f([C | R], Open) when C =:= $(; C =:= $[; C =:= ${ -> f(R, [close(C) | Open]);
f([C | R], [C | Open]) -> f(R, Open);
f([C | _], _) -> {unexpected, [C]}.
close($() -> $);
close($[) -> $];
close(${) -> $}.
