%% A request line whose last part fails for one method and one path only.
%%! request(<<"GET / HTTP/1.1\r\n">>)       ==> {get,<<"/">>,1}
%%! request(<<"POST /admin HTTP/1.0\r\n">>) ==> error forbidden
%%? request/1 with max 500: finds error:forbidden for (<<"POST /admin", _/binary>>); failures = 1
-module(request_line).
-export([request/1]).

-spec request(binary()) -> {get | post, binary(), integer()} | error.
request(<<"GET ", Rest/binary>>) -> target(get, Rest);
request(<<"POST ", Rest/binary>>) -> target(post, Rest);
request(_) -> error.
target(M, Rest) ->
    case binary:split(Rest, <<" HTTP/1.">>) of
        [Path, <<V, "\r\n", _/binary>>] when V =:= $0; V =:= $1 ->
            case Path of
                <<"/admin", _/binary>> when M =:= post -> error(forbidden);
                <<"/", _/binary>> -> {M, Path, V - $0};
                _ -> error
            end;
        _ -> error
    end.
