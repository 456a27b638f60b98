%% Large constant terms are shared, and copies of them compare equal.
%%! f() ==> {true,[6,7],[80,443,8080]}
-module(large_literals).
-export([f/0]).
f() ->
    A = {config, [{name, "beagle"}, {ports, [80, 443, 8080]}], #{depth => {1, {2, {3, {4, [5, 6, 7]}}}}}},
    {config, L, #{depth := {1, {2, {_, {4, [_ | T]}}}}}} = A,
    {A =:= {config, L, #{depth => {1, {2, {3, {4, [5 | T]}}}}}}, T, element(2, lists:nth(2, L))}.
