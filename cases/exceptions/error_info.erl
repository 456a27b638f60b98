%% error/3 keeps error_info for the formatter.
%%! f() ==> {badarg,[1],#{cause => mine}}
%%! g() ==> reason
-module(error_info).
-export([f/0, g/0]).
f() ->
    try {fail(1), x} catch error:R:S -> {_, _, A, Where} = hd(S), {R, A, proplists:get_value(error_info, Where)} end.
fail(X) -> error(badarg, [X], [{error_info, #{cause => mine}}]).
g() -> try error(reason, none, [{error_info, #{}}]) catch error:R -> R end.
