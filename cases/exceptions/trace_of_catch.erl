%% The trace in what `catch` gives goes on with those who called the function. That counts where the program can read it.
%%? depth/1: clean; incomplete
%%? whole/1: clean; incomplete
%%? handed_on/1: clean; incomplete
%%? reason/1: finds error:zero for (0); failures = 1; exhausts
%%? tag/1: finds error:zero for (0); failures = 1; exhausts
%%? value/1: finds error:zero for (0); failures = 1; exhausts
%%? unread/1: finds error:zero for (0); failures = 1; exhausts
%%? in_child/1: finds error:zero for (0); failures = 1; exhausts
-module(trace_of_catch).
-export([depth/1, whole/1, handed_on/1, reason/1, tag/1, value/1, unread/1, in_child/1]).

-spec depth(0..3) -> ok.
depth(N) ->
    case catch 1 div N of
        {'EXIT', {badarith, Trace}} when length(Trace) > 100 -> error(deep);
        _ -> ok
    end.

-spec whole(0..3) -> ok.
whole(N) ->
    case catch 1 div N of
        {'EXIT', What} -> is_tuple(What) orelse error(what), ok;
        _ -> ok
    end.

-spec handed_on(0..3) -> any().
handed_on(N) -> catch 1 div N.

-spec reason(0..3) -> ok.
reason(N) ->
    case catch 1 div N of
        {'EXIT', {badarith, _}} -> error(zero);
        _ -> ok
    end.

-spec tag(0..3) -> integer().
tag(N) ->
    case catch 1 div N of
        {'EXIT', _} -> error(zero);
        Result -> Result
    end.

-spec value(0..3) -> integer().
value(N) ->
    Result = (catch 1 div N),
    case Result of
        {'EXIT', {_, _}} -> error(zero);
        _ when is_integer(Result) -> Result
    end.

-spec unread(0..3) -> ok.
unread(N) ->
    catch 1 div N,
    N =:= 0 andalso error(zero),
    ok.

-spec in_child(0..3) -> ok.
in_child(N) ->
    Me = self(),
    P = spawn(fun() -> Me ! {self(), catch 1 div N} end),
    receive
        {P, {'EXIT', {badarith, Trace}}} -> [_ | _] = Trace, error(zero);
        {P, _} -> ok
    end.
