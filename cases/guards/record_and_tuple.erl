%% element and is_record in guards never raise.
%%! f({r, 1}) ==> record
%%! f({r})    ==> short
%%! f({s, 1}) ==> s_or_empty
%%! f([r, 1]) ==> no_tuple
%%! f({})     ==> s_or_empty
-module(record_and_tuple).
-export([f/1]).
-record(r, {v}).
f(X) when is_record(X, r), X#r.v =:= 1 -> record;
f(X) when X#r.v > 0 -> other_value;
f(X) when element(1, X) =:= r -> short;
f(X) when element(1, X) =:= s; X =:= {} -> s_or_empty;
f(_) -> no_tuple.
