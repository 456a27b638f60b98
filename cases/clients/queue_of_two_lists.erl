%% A queue of two lists, where the front may only be empty if the back is. Taking an item out does not keep to that
%% once two are in it.
%%? client: finds error:{badmatch, false}
%% Scenario: Q = queue_of_two_lists:in(2, queue_of_two_lists:in(1, queue_of_two_lists:new())), {1, R} = queue_of_two_lists:out(Q), true = queue_of_two_lists:is_balanced(Q), queue_of_two_lists:is_balanced(R)
-module(queue_of_two_lists).
-beagle({invariant, is_balanced/1}).
-export([new/0, in/2, out/1, is_empty/1, is_balanced/1]).
-export_type([queue/0]).

-opaque queue() :: {Front :: [integer()], Back :: [integer()]}.

-spec new() -> queue().
new() -> {[], []}.

-spec in(integer(), queue()) -> queue().
in(X, {[], []}) -> {[X], []};
in(X, {Front, Back}) -> {Front, [X | Back]}.

-spec out(queue()) -> {integer(), queue()} | empty.
out({[], []}) -> empty;
out({[], Back}) -> [X | Front] = lists:reverse(Back), {X, {Front, []}};
out({[X | Front], Back}) -> {X, {Front, Back}}.

-spec is_empty(queue()) -> boolean().
is_empty({Front, _}) -> Front =:= [].

-spec is_balanced(queue()) -> boolean().
is_balanced({Front, Back}) -> Front =/= [] orelse Back =:= [].
