%% Random bytes are as many as were asked for, and not the same again.
%%! byte_size(crypto:strong_rand_bytes(13)) ==> 13
%%! crypto:strong_rand_bytes(0)             ==> <<>>
%%! crypto:strong_rand_bytes(16) =:= crypto:strong_rand_bytes(16) ==> false
%%! crypto:strong_rand_bytes(-1)            ==> error badarg
%%! crypto:strong_rand_bytes(a)             ==> error badarg
-module(random_bytes).
