%% Texts that are certain words when their case, their blanks or their signs are put aside.
%%! lower("GeT")          ==> error get
%%! lower_bytes(<<"GET">>) ==> error get
%%! upper("get")          ==> error get
%%! fold("gEt")           ==> error get
%%! equal("gET")          ==> error get
%%! accent("É")           ==> error accent
%%! header("Content-Length") ==> error length
%%! prefix("https")       ==> error secure
%%! number("42px")        ==> error pixels
%%! pair(<<"host: x">>)   ==> error host
%%? lower/1: finds error:get within 20 runs; failures = 1
%%? lower_bytes/1 with max 40: finds error:get within 20 runs; finds error:{badarg,_}
%%? upper/1: finds error:get within 20 runs; failures = 1
%%? fold/1: finds error:get within 20 runs; failures = 1
%%? equal/1: finds error:get within 20 runs; failures = 1
%%? accent/1: finds error:accent within 20 runs; failures = 1
%%? header/1 with max 300: finds error:length; failures = 1
%%? prefix/1: finds error:secure within 50 runs; failures = 1
%%? number/1 with max 600: finds error:pixels; failures = 1
%%? pair/1 with max 100: finds error:host
-module(texts_in_any_case).
-export([lower/1, lower_bytes/1, upper/1, fold/1, equal/1, accent/1, header/1, prefix/1, number/1, pair/1]).

-spec lower(string()) -> ok.
lower(S) ->
    case string:lowercase(S) of
        "get" -> error(get);
        _ -> ok
    end.

-spec lower_bytes(binary()) -> ok.
lower_bytes(B) ->
    case string:lowercase(B) of
        <<"get">> -> error(get);
        _ -> ok
    end.

-spec upper(string()) -> ok.
upper(S) ->
    case string:uppercase(S) of
        "GET" -> error(get);
        _ -> ok
    end.

-spec fold(string()) -> ok.
fold(S) ->
    case string:casefold(S) of
        "get" -> error(get);
        _ -> ok
    end.

-spec equal(string()) -> ok.
equal(S) ->
    case string:equal(S, "Get", true) of
        true -> error(get);
        false -> ok
    end.

-spec accent(string()) -> ok.
accent(S) ->
    case string:lowercase(S) of
        "é" -> error(accent);
        _ -> ok
    end.

-spec header(string()) -> ok.
header(S) ->
    case string:to_lower(S) of
        "content-length" -> error(length);
        _ -> ok
    end.

-spec prefix(string()) -> ok.
prefix(S) ->
    case string:prefix(S, "http") of
        "s" -> error(secure);
        _ -> ok
    end.

-spec number(string()) -> ok.
number(S) ->
    case string:to_integer(S) of
        {42, "px"} -> error(pixels);
        _ -> ok
    end.

-spec pair(binary()) -> ok.
pair(B) ->
    case string:split(B, <<": ">>) of
        [<<"host">>, <<"x">>] -> error(host);
        _ -> ok
    end.
