%% byte_size rounds up, bit_size is exact, size rounds down.
%%! [f(B) || B <- [<<>>, <<1>>, <<1:1>>, <<1:8, 1:7>>, <<0:16>>]] ==> [{0,0,0,true,true},{1,8,1,true,true},{1,1,0,false,true},{2,15,1,false,true},{2,16,2,true,true}]
%%! f(a) ==> error badarg
-module(sizes).
-export([f/1]).
f(B) -> {byte_size(B), bit_size(B), size(B), is_binary(B), is_bitstring(B)}.
