%% The process dictionary keeps what was put before an exception.
%%! f()
-module(dictionary_survives).
-export([f/0]).
f() -> catch (put(k, 1), put(k, 2), throw(x)), {get(k), put(k, 3), erase(k)}.
