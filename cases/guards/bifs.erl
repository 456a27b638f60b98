%% The BIFs allowed in guards, each failing on a wrong argument.
%%! [f(X) || X <- [-3, 2.6, [a, b], {x, y, z}, #{k => 1}, <<1, 2, 3>>, <<5:3>>, atom]] ==> [abs,rounding,list,tuple,map,binary,bits,other]
-module(bifs).
-export([f/1]).
f(X) when abs(X) =:= 3 -> abs;
f(X) when round(X) =:= 3, trunc(X) =:= 2, floor(X) =:= 2, ceil(X) =:= 3 -> rounding;
f(X) when length(X) =:= 2, hd(X) =:= a, tl(X) =:= [b] -> list;
f(X) when tuple_size(X) =:= 3, element(2, X) =:= y, size(X) =:= 3 -> tuple;
f(X) when map_size(X) =:= 1, is_map_key(k, X), map_get(k, X) =:= 1 -> map;
f(X) when byte_size(X) =:= 3, bit_size(X) =:= 24, binary_part(X, 1, 1) =:= <<2>> -> binary;
f(X) when byte_size(X) =:= 1, bit_size(X) =:= 3 -> bits;
f(_) -> other.
