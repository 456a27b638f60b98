%% A float segment must be 16, 32 or 64 bits.
%%! f(64) ==> <<63,240,0,0,0,0,0,0>>
%%! f(32) ==> <<63,128,0,0>>
%%! f(16) ==> <<60,0>>
%%! f(48) ==> error badarg
%%! f(0)  ==> error badarg
-module(float_size).
-export([f/1]).
f(N) -> <<1.0:N/float>>.
