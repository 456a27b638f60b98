%% A position that is no small integer of the BEAM is no position, even where no tuple is looked at.
%%! find(576460752303423487)                ==> false
%%! find(576460752303423488)                ==> error badarg
%%! search(576460752303423488)              ==> error badarg
%%! member(576460752303423488)              ==> error badarg
%%! member(1000000000000000000000000000000) ==> error badarg
-module(key_position_too_large).
-export([find/1, search/1, member/1]).
find(Position) -> lists:keyfind(a, Position, []).
search(Position) -> lists:keysearch(a, Position, []).
member(Position) -> lists:keymember(a, Position, []).
