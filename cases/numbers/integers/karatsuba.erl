%% Products of numbers of hundreds of digits, checked by identities.
%%! f(200) ==> {true,0,1,43355}
-module(karatsuba).
-export([f/1]).
f(N) ->
    A = (1 bsl N) + 12345, B = (1 bsl (N + 7)) - 98765,
    {(A + B) * (A - B) =:= A * A - B * B, (A * B) rem B, (A * B + 1) rem A, A * B band 16#ffff}.
