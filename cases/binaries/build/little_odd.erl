%% Little-endian segments of odd sizes.
%%! f(16#abc) ==> {<<188,10:4>>,<<151,138>>,<<188,0:1>>,<<188,10,0:4>>}
%%! f(-3)     ==> {<<253,15:4>>,<<"¿¿">>,<<253,1:1>>,<<253,255,15:4>>}
-module(little_odd).
-export([f/1]).
f(X) -> {<<X:12/little>>, <<X:3/little, X:13/little>>, <<X:9/little>>, <<X:20/little>>}.
