%% Ranges of characters by guards over heads.
%%! f("a1 Z_?") ==> [lower,digit,space,upper,underscore,other]
-module(character_classes).
-export([f/1]).
f(S) -> [class(C) || C <- S].
class(C) when C >= $a, C =< $z -> lower;
class(C) when C >= $A, C =< $Z -> upper;
class(C) when C >= $0, C =< $9 -> digit;
class($ ) -> space;
class($_) -> underscore;
class(_) -> other.
