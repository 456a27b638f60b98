%% What the library functions say to arguments of the wrong kind.
%%! map(x, [1])                    ==> error function_clause
%%! map(fun erlang:abs/1, x)       ==> error {case_clause,x}
%%! map(fun erlang:abs/1, [1 | 2]) ==> error function_clause
%%! map(fun erlang:max/2, [1])     ==> error function_clause
%%! nth(0)                         ==> error function_clause
%%! nth(a)                         ==> error badarith
%%! zip()                          ==> error function_clause
-module(bad_arguments_to_library).
-export([map/2, nth/1, zip/0]).
map(F, L) -> lists:map(F, L).
nth(N) -> lists:nth(N, [a]).
zip() -> lists:zip([1], []).
