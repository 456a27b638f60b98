%% Books by their titles, found by what a caller likes.
-module(shelf).
-export([pick/2, sorted/2]).

-type book() :: {Title :: binary(), Year :: 1900..2100}.

%% The oldest book that the caller likes.
-spec pick(fun((book()) -> boolean()), [book()]) -> {ok, book()} | none.
pick(Likes, Books) ->
    case [Book || Book <- Books, Likes(Book)] of
        [] -> none;
        Liked -> {ok, hd(lists:keysort(2, Liked))}
    end.

%% By any order that the caller has. (One that says yes to everything, or never, is no order.)
-spec sorted(fun((book(), book()) -> boolean()), [book()]) -> [book()].
sorted(IsBefore, Books) ->
    Sorted = lists:sort(IsBefore, Books),
    true = is_sorted(IsBefore, Sorted),
    Sorted.

is_sorted(IsBefore, [A, B | Rest]) -> IsBefore(A, B) andalso is_sorted(IsBefore, [B | Rest]);
is_sorted(_, _) -> true.
