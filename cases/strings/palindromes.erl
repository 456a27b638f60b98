%% A program over strings: palindromes and anagrams.
%%! f("A man, a plan, a canal: Panama") ==> true
%%! f("Beagle")                         ==> false
%%! g("listen", "silent")               ==> true
%%! g("abc", "abd")                     ==> false
-module(palindromes).
-export([f/1, g/2]).
f(S) -> L = [C || C <- string:lowercase(S), C >= $a, C =< $z], L =:= lists:reverse(L).
g(A, B) -> lists:sort(A) =:= lists:sort(B).
