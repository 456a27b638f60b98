%% A guard that fails leaves the subject to the clauses behind it, even if the guard was the last to name it.
%%! in_case([])       ==> error {case_clause,[]}
%%! in_case([1, 2])   ==> error {case_clause,[1,2]}
%%! in_case(3)        ==> error {case_clause,3}
%%! part({[1, 2], 3}) ==> {second,3}
%%! part({[], 3})     ==> {third,[]}
%%! part({7, 3})      ==> {third,7}
%%! comparison([])    ==> error {case_clause,[]}
-module(subject_behind_guard).
-export([in_case/1, part/1, comparison/1]).
in_case(A) ->
    case id(A) of
        V when is_atom(length(V)) or is_atom(A rem 3) -> ok
    end.
part(P) ->
    case id(P) of
        {V, _} when is_atom(length(V)) or is_map(hd(V)) -> first;
        {[_ | _], N} -> {second, N};
        {Other, _} -> {third, Other}
    end.
comparison(A) ->
    case id(A) of
        V when length(V) > A rem 3 -> ok
    end.
id(X) -> X.
