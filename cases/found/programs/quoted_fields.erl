%% Fields with commas between them, some of them quoted: what follows a quote is not always foreseen.
%%! fields("a,\"b,c\"\nd") ==> [["a","b,c"],["d"]]
%%! fields("\"abc\"d")     ==> error {unbalanced,"cba"}
%%? fields/1 with max 400: finds error:{unbalanced,_}; failures = 1
-module(quoted_fields).
-export([fields/1]).

-spec fields(string()) -> [[string()]].
fields(S) -> field(S, [], [], []).
field([$" | R], [], Row, Rows) -> quoted(R, [], Row, Rows);
field([$, | R], F, Row, Rows) -> field(R, [], [lists:reverse(F) | Row], Rows);
field([$\n | R], F, Row, Rows) -> field(R, [], [], [lists:reverse([lists:reverse(F) | Row]) | Rows]);
field([C | R], F, Row, Rows) -> field(R, [C | F], Row, Rows);
field([], F, Row, Rows) -> lists:reverse([lists:reverse([lists:reverse(F) | Row]) | Rows]).
quoted([$", $" | R], F, Row, Rows) -> quoted(R, [$" | F], Row, Rows);
quoted([$", $, | R], F, Row, Rows) -> field(R, [], [lists:reverse(F) | Row], Rows);
quoted([$", $\n | R], F, Row, Rows) -> field(R, [], [], [lists:reverse([lists:reverse(F) | Row]) | Rows]);
quoted([$"], F, Row, Rows) -> lists:reverse([lists:reverse([lists:reverse(F) | Row]) | Rows]);
quoted([$" | _], F, _, _) when length(F) > 2 -> error({unbalanced, F});
quoted([C | R], F, Row, Rows) -> quoted(R, [C | F], Row, Rows);
quoted([], _, _, _) -> [].
