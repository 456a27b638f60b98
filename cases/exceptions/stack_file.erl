%% Stack entries name the source file.
%%! f() ==> "stack_file.erl"
-module(stack_file).
-export([f/0]).
f() ->
    try {g(), x} catch error:_:Stack ->
        {_, _, _, Where} = hd(Stack),
        filename:basename(proplists:get_value(file, Where))
    end.
g() -> error(x).
