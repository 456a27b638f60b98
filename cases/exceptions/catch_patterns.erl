%% Catch clauses are patterns with guards; what matches none goes on.
%%! f({error, 1})           ==> small
%%! f({error, 100})         ==> {large,100}
%%! f({error, [x]})         ==> {list,x}
%%! f({throw, {tagged, v}}) ==> {tag,v}
%%! f({throw, other})       ==> throw other
%%! f({exit, normal})       ==> normal
%%! f({exit, kill})         ==> exit kill
-module(catch_patterns).
-export([f/1]).
f({Class, Reason}) ->
    try erlang:raise(Class, Reason, [])
    catch
        error:N when is_integer(N), N < 10 -> small;
        error:N when is_integer(N) -> {large, N};
        throw:{tagged, V} -> {tag, V};
        exit:normal -> normal;
        _:[H | _] -> {list, H}
    end.
