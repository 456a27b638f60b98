%% Types of other modules and types with parameters are followed.
%%! pair({1, true}) ==> ok
%%! line("ab")      ==> <<"ok">>
%%? pair/1: finds error:both for ({7, true}); failures = 1; exhausts
%%? line/1 with max 60: finds error:newline for (_); failures = 1
-module(remote_and_parametric).
-export([pair/1, line/1]).

-type both(A, B) :: {A, B}.

-spec pair(both(integer(), boolean())) -> ok.
pair({7, true}) -> error(both);
pair({N, B}) when is_integer(N), is_boolean(B) -> ok.

-spec line(unicode:chardata()) -> binary().
line([$\n | _]) -> error(newline);
line(Chars) when is_list(Chars); is_binary(Chars) -> <<"ok">>.
