%% What the run has made itself follows from its inputs: flags that it has set, processes that it has started, names that
%% those have got. What it did not make is a surrounding (see the tests of the command).
%%? flag/1: finds error:low for (low); failures = 1; exhausts
%%? child/1: finds error:zero for (0); failures = 1; exhausts
%%? children/1: finds error:one for (1); failures = 1; exhausts
-module(others_are_not_ours).
-export([flag/1, child/1, children/1, init/1]).

-spec flag(low | normal) -> ok.
flag(low) ->
    process_flag(priority, low),
    judged(process_info(self(), priority));
flag(normal) ->
    process_flag(priority, normal),
    judged(process_info(self(), priority)).

judged({priority, low}) -> error(low);
judged({priority, normal}) -> ok.

-spec child(0..3) -> ok.
child(Count) ->
    P = spawn(fun() -> receive never -> ok end end),
    [P ! N || N <- lists:seq(1, Count)],
    case process_info(P, message_queue_len) of
        {message_queue_len, 0} -> error(zero);
        {message_queue_len, Count} -> ok
    end.

-spec children(0..2) -> ok.
children(Count) ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, Count),
    case supervisor:which_children(Supervisor) of
        [_] -> error(one);
        Children -> Count = length(Children), ok
    end.

init(Count) ->
    Start = {gen_event, start_link, []},
    {ok, {#{}, [#{id => N, start => Start} || N <- lists:seq(1, Count)]}}.
