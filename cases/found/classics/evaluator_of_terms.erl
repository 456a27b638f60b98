%% Terms of a small language get stuck in four ways; all inputs are terms of that language.
%%! eval({e_if, {e_iszero, e_0}, {e_succ, e_0}, e_false}) ==> {e_succ,e_0}
%%! eval({e_pred, {e_succ, {e_succ, e_0}}})               ==> {e_succ,e_0}
%%! eval({e_succ, e_true})                                ==> error {case_clause,e_true}
%%! is_e({e_if, e_true, e_0, {e_pred, e_0}})              ==> true
%%! is_e({e_if, e_true, 0, e_0})                          ==> false
%%? eval/1 with max 400: finds error:{case_clause,_} for ({e_if,_,_,_}); finds error:{case_clause,_} for ({e_succ,_}); finds error:{case_clause,_} for ({e_pred,_}); finds error:{case_clause,_} for ({e_iszero,_}); failures >= 4; inputs is_e
-module(evaluator_of_terms).
-export([eval/1, is_e/1]).

-type e() :: e_true | e_false | e_0
           | {e_if, e(), e(), e()} | {e_succ, e()} | {e_pred, e()} | {e_iszero, e()}.

-spec eval(e()) -> e().
eval({e_if, C, T, E}) ->
    case eval(C) of
        e_true -> eval(T);
        e_false -> eval(E)
    end;
eval({e_succ, E}) ->
    case eval(E) of
        e_0 -> {e_succ, e_0};
        {e_succ, _} = N -> {e_succ, N}
    end;
eval({e_pred, E}) ->
    case eval(E) of
        e_0 -> e_0;
        {e_succ, N} -> N
    end;
eval({e_iszero, E}) ->
    case eval(E) of
        e_0 -> e_true;
        {e_succ, _} -> e_false
    end;
eval(Value) ->
    Value.

is_e({e_if, C, T, E}) -> is_e(C) andalso is_e(T) andalso is_e(E);
is_e({Tag, E}) -> lists:member(Tag, [e_succ, e_pred, e_iszero]) andalso is_e(E);
is_e(E) -> lists:member(E, [e_true, e_false, e_0]).
