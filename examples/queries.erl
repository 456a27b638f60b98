%% The query part of a URL: "a=1&b=2".
-module(queries).
-export([parse/1]).

-spec parse(string()) -> [{string(), string()}].
parse(Text) ->
    [pair(Part) || Part <- string:tokens(Text, "&")].

pair(Part) ->
    {Key, [$= | Value]} = lists:splitwith(fun(C) -> C =/= $= end, Part),
    {Key, Value}.
