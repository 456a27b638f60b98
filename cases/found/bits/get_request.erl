%% A request line is taken apart as web servers do it.
%%! parse(<<"GET /x HTTP/1.1">>) ==> {get,<<"/x">>,<<"HTTP/1.1">>}
%%! parse(<<"GET /x">>)          ==> bad_request
%%! parse(<<"POST /x">>)         ==> error {post,<<"/x">>}
%%? parse/1 with max 300: finds error:{root,_} for (<<"GET / ", _/binary>>); finds error:{post,_} for (<<"POST ", _/binary>>); failures = 2
-module(get_request).
-export([parse/1]).

-spec parse(binary()) -> {get, binary(), binary()} | bad_request.
parse(<<"GET ", Rest/binary>>) -> path(Rest, 0);
parse(<<"POST ", Rest/binary>>) -> error({post, Rest});
parse(_) -> bad_request.

path(Rest, Size) ->
    case Rest of
        <<"/", _:Size/binary, " ", Version/binary>> when Size =:= 0 -> error({root, Version});
        <<Path:Size/binary, " ", Version/binary>> -> {get, Path, Version};
        <<_:Size/binary, _, _/binary>> when Size < 4 -> path(Rest, Size + 1);
        _ -> bad_request
    end.
