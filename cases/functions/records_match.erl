%% Records match in heads, in guards by is_record, and nest.
%%! f({outer, {inner, 1}, x}) ==> {one,x}
%%! f({outer, {inner, 2}, x}) ==> {other,2}
%%! f({inner, 3})             ==> {inner,3}
%%! f({inner, 3, 4})          ==> neither
%%! g({inner, 1})             ==> {true,false,true}
%%! g({inner})                ==> {false,true,false}
-module(records_match).
-export([f/1, g/1]).
-record(inner, {n}).
-record(outer, {in = #inner{n = 0}, tag}).
f(#outer{in = #inner{n = 1}, tag = T}) -> {one, T};
f(#outer{in = #inner{n = N}}) -> {other, N};
f(R) when is_record(R, inner) -> {inner, R#inner.n};
f(_) -> neither.
g(R) -> {is_record(R, inner), is_record(R, inner, 1), is_record(R, inner, 2)}.
