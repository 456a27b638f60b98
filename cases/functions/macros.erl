%% Macros, conditional compilation and ?MODULE, ?LINE are the compiler's work.
%%! f(4) ==> 29
%%! g()  ==> {macros,g,0,15,"a + b"}
%%! h()  ==> not_defined
-module(macros).
-export([f/1, g/0, h/0]).
-define(TWICE(X), (X) + (X)).
-define(NAME(X), ??X).
-ifdef(NOT_DEFINED).
h() -> defined.
-else.
h() -> not_defined.
-endif.
f(X) -> ?TWICE(X + 10) + 1.
g() -> {?MODULE, ?FUNCTION_NAME, ?FUNCTION_ARITY, ?LINE, ?NAME(a + b)}.
