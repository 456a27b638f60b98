%% A line of text with a cursor. Deleting looks at what is left of the cursor, and forgets that this may be nothing
%% after moving to the start.
%%? client: finds error:function_clause
%% Scenario: L = text_cursor_delete:insert($a, text_cursor_delete:new()), H = text_cursor_delete:home(L), "a" = text_cursor_delete:text(H), text_cursor_delete:delete(H)
-module(text_cursor_delete).
-export([new/0, insert/2, left/1, home/1, delete/1, text/1]).
-export_type([line/0]).

-opaque line() :: {Before :: [char()], After :: [char()]}.

-spec new() -> line().
new() -> {[], []}.

-spec insert(char(), line()) -> line().
insert(C, {Before, After}) -> {[C | Before], After}.

-spec left(line()) -> line().
left({[], After}) -> {[], After};
left({[C | Before], After}) -> {Before, [C | After]}.

-spec home(line()) -> line().
home({Before, After}) -> {[], lists:reverse(Before, After)}.

%% Deletes the character before the cursor.
-spec delete(line()) -> line().
delete({[], []}) -> {[], []};
delete({[_ | Before], After}) -> {Before, After}.

-spec text(line()) -> string().
text({Before, After}) -> lists:reverse(Before, After).
