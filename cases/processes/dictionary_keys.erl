%% Dictionary keys are compared exactly.
%%! f() ==> {int,float,tuple,undefined}
-module(dictionary_keys).
-export([f/0]).
f() -> put(1, int), put(1.0, float), put({a, [b]}, tuple), {get(1), get(1.0), get({a, [b]}), get({a, "b"})}.
