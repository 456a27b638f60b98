%% A field that opens a quotation and never closes it.
%%! fields("a,b")       ==> ["a","b"]
%%! fields("\"a,b\",c") ==> ["a,b","c"]
%%! fields("\"a")       ==> error {open_quotation,"a"}
%%? fields/1 with max 300: finds error:{open_quotation,_} for (Line) when Line =/= []; failures = 1
-module(comma_separated).
-export([fields/1]).

-spec fields([$a | $, | $"]) -> [string()].
fields(Line) -> field(Line, []).

field([$" | Rest], []) -> quoted(Rest, []);
field([$, | Rest], Field) -> [lists:reverse(Field) | field(Rest, [])];
field([C | Rest], Field) -> field(Rest, [C | Field]);
field([], Field) -> [lists:reverse(Field)].

quoted([$" | Rest], Field) -> field(Rest, Field);
quoted([C | Rest], Field) -> quoted(Rest, [C | Field]);
quoted([], Field) -> error({open_quotation, lists:reverse(Field)}).
