%% The generators with fixed interfaces.
%%! f(1) ==> {10451216379200822465,13757245211066428519}
%%! g(1) ==> {514663243627203510,517094838,0.6656630090524469}
-module(splitmix).
-export([f/1, g/1]).
f(Seed) -> {V1, S1} = rand:splitmix64_next(Seed), {V2, _} = rand:splitmix64_next(S1), {V1, V2}.
g(Seed) -> S = rand:mwc59_seed(Seed), S2 = rand:mwc59(S), {S2, rand:mwc59_value32(S2), rand:mwc59_float(S2)}.
