%% Nested maps are updated from the inside out.
%%! f(#{a => #{b => #{c => 1}}}) ==> #{a => #{b => #{c => 2}}}
%%! f(#{a => #{}})               ==> #{a => #{b => #{c => 1}}}
-module(nested_update).
-export([f/1]).
f(M = #{a := A}) ->
    B = maps:get(b, A, #{}),
    M#{a := A#{b => B#{c => maps:get(c, B, 0) + 1}}}.
