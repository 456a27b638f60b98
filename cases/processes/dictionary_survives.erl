%% The process dictionary keeps what was put before an exception.
%%! f() ==> {x,2,2,3}
-module(dictionary_survives).
-export([f/0]).
f() -> X = (catch begin put(k, 1), put(k, 2), throw(x) end), {X, get(k), put(k, 3), erase(k)}.
