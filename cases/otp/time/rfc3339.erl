%% Times in text and back.
%%! f(0)                               ==> "1970-01-01T00:00:00Z"
%%! f(1700000000)                      ==> "2023-11-14T22:13:20Z"
%%! g("2024-02-29T12:34:56Z")          ==> 1709210096
%%! g("2024-02-29T12:34:56.789+02:00") ==> 1709202896
%%! g("nonsense")                      ==> error {badmatch,"nonsense"}
-module(rfc3339).
-export([f/1, g/1]).
f(S) -> calendar:system_time_to_rfc3339(S, [{offset, "Z"}]).
g(S) -> calendar:rfc3339_to_system_time(S).
