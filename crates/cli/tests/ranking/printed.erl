%% A command that prints what it was told, among functions whose types say more than they mean. `usage/1` prints text as a
%% format, and `fail/2` prints text as bytes.
-module(printed).
-export([usage/1, fail/2, level/1, option/2]).

-type command() :: #{name := string(), modules := [module()], help => string()}.

-spec usage(command()) -> ok.
usage(#{name := Name}) ->
    io:format("usage: " ++ Name ++ " [options]~n").

-spec fail(command(), string()) -> ok.
fail(#{name := Name}, Why) ->
    io:format("~s: ~ts~n", [Name, Why]).

-spec level(term()) -> 0..3.
level(quiet) -> 0;
level(normal) -> 1;
level(loud) -> 3.

-spec option(atom(), term()) -> term().
option(Key, Options) ->
    {Key, Value} = lists:keyfind(Key, 1, Options),
    Value.
