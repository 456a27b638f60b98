%% Bug: an interval that closes the gap between two others is merged with the first of them only.
%% Needs: 4 calls, numbers that meet.
%% Scenario: A = interval_set:add(1, 2, interval_set:new()), B = interval_set:add(5, 6, A), true = interval_set:is_apart(B), interval_set:is_apart(interval_set:add(2, 5, B))
%%? client: finds error:{badmatch, false}
-module(interval_set).
-beagle({invariant, is_apart/1}).
-export([new/0, add/3, member/2, is_apart/1]).
-export_type([set/0]).

-opaque set() :: [{integer(), integer()}].

-spec new() -> set().
new() -> [].

-spec add(integer(), integer(), set()) -> set().
add(From, To, Set) when From > To -> add(To, From, Set);
add(From, To, [{A, B} | Rest]) when B < From -> [{A, B} | add(From, To, Rest)];
add(From, To, [{A, B} | Rest]) when A =< To, B >= To -> [{min(A, From), B} | Rest];
add(From, To, [{A, B} | Rest]) when A =< To -> [{min(A, From), max(B, To)} | Rest];
add(From, To, Set) -> [{From, To} | Set].

-spec member(integer(), set()) -> boolean().
member(N, Set) -> lists:any(fun({A, B}) -> A =< N andalso N =< B end, Set).

%% The intervals are in order and do not overlap.
-spec is_apart(set()) -> boolean().
is_apart([{_, B}, {C, _} = Next | Rest]) -> B < C andalso is_apart([Next | Rest]);
is_apart(_) -> true.
