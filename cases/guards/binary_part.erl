%% binary_part in guards, in and out of range.
%%! f(<<"abcdef">>) ==> prefix
%%! f(<<"xbcdef">>) ==> suffix
%%! f(<<"ab">>)     ==> whole
%%! f(ab)           ==> none
-module(binary_part).
-export([f/1]).
f(B) when binary_part(B, 0, 3) =:= <<"abc">> -> prefix;
f(B) when binary_part(B, byte_size(B), -3) =:= <<"def">> -> suffix;
f(B) when binary_part(B, {0, byte_size(B)}) =:= B -> whole;
f(_) -> none.
