%% The dictionary of a process, persistent terms and the environment of applications keep shadows, of keys too.
%% What is asked for there may be there before the call, so only what looks at none of it is exhausted.
%%? put_and_get/2: finds error:twelve for (12, foo); failures = 1; incomplete
%%? erased/2: finds error:twelve for (12, foo); failures = 1; incomplete
%%? keys_of/1: finds error:foo for (12); failures = 1; incomplete
%%? all/2: finds error:only for (_, b); failures = 1; incomplete
%%? persistent/2: finds error:twelve for (12, q); failures = 1; incomplete
%%? configured/2: finds error:twelve for (12, limit); failures = 1; incomplete
%%? messages/1: finds error:sum for (31); failures = 1; incomplete
-module(dictionaries).
-export([put_and_get/2, erased/2, keys_of/1, all/2, persistent/2, configured/2, messages/1]).

-spec put_and_get(integer(), atom()) -> ok.
put_and_get(X, Key) ->
    put(Key, X),
    case get(foo) of
        12 -> error(twelve);
        _ -> ok
    end.

-spec erased(integer(), atom()) -> ok.
erased(X, Key) ->
    put(foo, X),
    case erase(Key) of
        12 -> error(twelve);
        _ -> ok
    end.

-spec keys_of(integer()) -> ok.
keys_of(X) ->
    put(foo, X),
    case get_keys(12) of
        [Key] -> error(Key);
        [] -> ok
    end.

-spec all(integer(), atom()) -> ok.
all(X, Key) ->
    put(Key, X),
    put(b, 3),
    case [Pair || {_, _} = Pair <- get()] of
        [{b, 3}] -> error(only);
        _ -> ok
    end.

-spec persistent(integer(), atom()) -> ok.
persistent(X, Key) ->
    persistent_term:put({?MODULE, Key}, X),
    Found = persistent_term:get({?MODULE, q}, none),
    persistent_term:erase({?MODULE, Key}),
    case Found of
        12 -> error(twelve);
        _ -> ok
    end.

-spec configured(integer(), atom()) -> ok.
configured(X, Key) ->
    application:set_env(?MODULE, Key, X),
    Found = application:get_env(?MODULE, limit),
    application:unset_env(?MODULE, Key),
    case Found of
        {ok, 12} -> error(twelve);
        _ -> ok
    end.

-spec messages(integer()) -> ok.
messages(X) ->
    self() ! {add, X},
    self() ! stop,
    loop(0).

loop(Sum) ->
    receive
        {add, X} -> loop(Sum + X);
        stop when Sum =:= 31 -> error(sum);
        stop -> ok
    end.
