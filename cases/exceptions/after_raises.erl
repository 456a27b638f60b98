%% An exception in after replaces the one on its way.
%%! f() ==> second
%%! g() ==> error from_after
-module(after_raises).
-export([f/0, g/0]).
f() -> try (try throw(first) after throw(second) end) catch T -> T end.
g() -> try value after error(from_after) end.
