%% Longest common prefix and suffix, hex coding.
%%! f([<<"abcd">>, <<"abxd">>, <<"abd">>]) ==> {2,1}
%%! f([<<"x">>])                           ==> {1,1}
%%! f([])                                  ==> error badarg
%%! hex(<<"beagle", 0, 255>>)              ==> {<<"626561676C6500FF">>,true}
%%! g(<<"zz">>)                            ==> error badarg
-module(prefixes).
-export([f/1, hex/1, g/1]).
f(L) -> {binary:longest_common_prefix(L), binary:longest_common_suffix(L)}.
hex(B) -> H = binary:encode_hex(B), {H, binary:decode_hex(H) =:= B}.
g(H) -> binary:decode_hex(H).
