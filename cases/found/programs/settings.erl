%% Lines of names and values, of which one value must be a number.
%%! settings("port = 80\nhost=x") ==> [{"port",80},{"host","x"}]
%%! settings("port=")            ==> error badarg
%%? settings/1 with max 100: finds error:badarg; failures = 1
-module(settings).
-export([settings/1]).

-spec settings(string()) -> [{string(), string() | integer()}].
settings(S) -> lists:map(fun entry/1, string:tokens(S, "\n")).
entry(Line) ->
    case string:split(Line, "=") of
        [K, V] ->
            case string:trim(K) of
                "port" -> {"port", list_to_integer(string:trim(V))};
                Key -> {Key, string:trim(V)}
            end;
        [K] -> {K, ""}
    end.
