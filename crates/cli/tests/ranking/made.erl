%% A queue of jobs as two lists and their length. Built by hand, the length can be wrong and everything fails; what the
%% functions of this module make fails in one place.
-module(made).
-export([new/0, from_list/1, add/2, next/1, size/1, last/1]).
-export_type([jobs/0]).

-record(jobs, {front = [], back = [], size = 0}).
-type jobs() :: #jobs{front :: [binary()], back :: [binary()], size :: non_neg_integer()}.

-spec new() -> jobs().
new() -> #jobs{}.

-spec from_list([binary()]) -> jobs().
from_list(List) -> #jobs{front = List, size = length(List)}.

-spec add(binary(), jobs()) -> jobs().
add(Job, Jobs = #jobs{back = Back, size = Size}) -> Jobs#jobs{back = [Job | Back], size = Size + 1}.

-spec next(jobs()) -> {binary(), jobs()} | empty.
next(#jobs{size = 0}) -> empty;
next(Jobs = #jobs{front = [Job | Front], size = Size}) -> {Job, Jobs#jobs{front = Front, size = Size - 1}};
next(Jobs = #jobs{front = [], back = [_ | _] = Back}) -> next(Jobs#jobs{front = lists:reverse(Back), back = []}).

-spec size(jobs()) -> non_neg_integer().
size(#jobs{size = Size}) -> Size.

%% The last job may stand in front.
-spec last(jobs()) -> binary() | undefined.
last(#jobs{size = 0}) -> undefined;
last(#jobs{back = [Job | _]}) -> Job.
