%% bitstring_to_list and list_to_bitstring keep the odd bits at the end.
%%! f(<<1, 2, 5:3>>)        ==> {[1,2,<<5:3>>],true}
%%! f(<<>>)                 ==> {[],true}
%%! g([1, <<2, 3:3>>])      ==> <<1,2,3:3>>
%%! g([<<1:1>>, 2])         ==> <<129,0:1>>
%%! g([[<<1:1>>], <<1:1>>]) ==> <<3:2>>
%%! g([256])                ==> error badarg
-module(conversion).
-export([f/1, g/1]).
f(B) -> L = bitstring_to_list(B), {L, list_to_bitstring(L) =:= B}.
g(L) -> list_to_bitstring(L).
