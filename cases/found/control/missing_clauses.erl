%% A function, a case, an if and a fun without a clause for their input fail each in their own way.
%%! clause(b)           ==> 2
%%! choose(c)           ==> error {case_clause,c}
%%! decide(0)           ==> error if_clause
%%! matched({error, x}) ==> error {badmatch,{error,x}}
%%? clause/1: finds error:function_clause for (c); failures = 1; exhausts
%%? choose/1: finds error:{case_clause,c} for (c); failures = 1; exhausts
%%? decide/1: finds error:if_clause for (0); failures = 1; exhausts; runs = 3
%%? matched/1: finds error:{badmatch,_} for (X) when X =/= ok; failures = 1
-module(missing_clauses).
-export([clause/1, choose/1, decide/1, matched/1]).

-spec clause(a | b | c) -> 1 | 2.
clause(a) -> 1;
clause(b) -> 2.

-spec choose(a | b | c) -> 1 | 2.
choose(X) ->
    case X of
        a -> 1;
        b -> 2
    end.

-spec decide(integer()) -> neg | pos.
decide(N) ->
    if
        N < 0 -> neg;
        N > 0 -> pos
    end.

matched(X) ->
    ok = X,
    done.
