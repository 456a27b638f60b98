%% A counter that one function hands over with the word that another one puts before it. Everybody fails on it, and one
%% function is to blame.
-module(handed).
-export([new/0, new/2, add/2, value/1, largest/1]).
-export_type([counter/0]).
-opaque counter() :: [{atom(), pos_integer()}].

-spec new() -> counter().
new() -> [].

-spec new(atom(), pos_integer()) -> counter().
new(Name, 1) -> [{Name, 1}];
new(Name, Start) -> checked([{Name, Start}]).

-spec add(atom(), counter()) -> counter().
add(Name, Counter) -> orddict:update_counter(Name, 1, Counter).

-spec value(counter()) -> non_neg_integer().
value(Counter) -> lists:sum([Count || {_, Count} <- Counter]).

-spec largest(counter()) -> non_neg_integer().
largest(Counter) -> lists:max([0 | [Count || {_, Count} <- Counter]]).

checked(Counter) ->
    case length(Counter) < 10 of
        true -> {ok, Counter};
        false -> {error, full}
    end.
