%% Compression, safe decoding, and how many bytes were used.
%%! f(1000) ==> {true,true}
%%! used()  ==> {{a,1},true}
%%! safe()  ==> badarg
-module(external_compressed).
-export([f/1, used/0, safe/0]).
f(N) ->
    T = lists:duplicate(N, abc),
    B = term_to_binary(T, [compressed]),
    {binary_to_term(B) =:= T, byte_size(B) < byte_size(term_to_binary(T))}.
used() -> B = term_to_binary({a, 1}), {T, N} = binary_to_term(<<B/binary, "rest">>, [used]), {T, N =:= byte_size(B)}.
safe() -> try binary_to_term(<<131, 119, 22, "an_atom_nobody_has_yet">>, [safe]) catch error:R -> R end.
