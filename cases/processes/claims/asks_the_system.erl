%% Processes that the system has started, and what the caller of a function brings along, are no inputs: whoever asks for them
%% has not explored all paths, however the search ends.
%%? children/1: clean; incomplete
%%? alive/1: clean; incomplete
%%? priority/1: clean; incomplete
%%? depth/1: clean; incomplete
%%? range/1: clean; incomplete
%%? takes_us_along/1: finds exit:stop for (1); incomplete
-module(asks_the_system).
-export([children/1, alive/1, priority/1, depth/1, range/1, takes_us_along/1]).

-spec children(0..3) -> ok.
children(N) -> known(length(supervisor:which_children(kernel_sup)) < N).

-spec alive(0..3) -> ok.
alive(N) -> known(is_process_alive(whereis(kernel_safe_sup)) andalso N > 1).

-spec priority(low | normal) -> ok.
priority(Priority) -> known(process_info(self(), priority) =:= {priority, Priority}).

-spec depth(0..3) -> ok.
depth(N) ->
    {current_stacktrace, Calls} = process_info(self(), current_stacktrace),
    known(length(Calls) < N).

-spec range(latin1 | unicode) -> ok.
range(Range) -> known(io:printable_range() =:= Range).

%% Whether a signal ends the process or becomes a message is up to a flag that its caller may have set.
-spec takes_us_along(0..1) -> ok.
takes_us_along(0) -> ok;
takes_us_along(1) ->
    process_flag(priority, normal),
    exit(self(), stop),
    ok.

known(true) -> ok;
known(false) -> ok.
