%% What the caller, the runtime and its devices are does not follow from the inputs.
%%? node_of_table/1: clean; incomplete
%%? compressed_table/1: clean; incomplete
%%? kind_of_table/1: finds error:zero for (0); failures = 1; exhausts
%%? ancestors/1: clean; incomplete
%%? initial_call/1: clean; incomplete
%%? device_with_name/1: clean; incomplete
%%? wide_text/1: clean; incomplete
%%? text/1: finds error:zero for (0); failures = 1; exhausts
%%? optional_library/1: clean; incomplete
%%? standard_library/1: finds error:zero for (0); failures = 1; exhausts
%%? loaded/1: clean; incomplete
-module(what_the_caller_is).
-export([node_of_table/1, compressed_table/1, kind_of_table/1, ancestors/1, initial_call/1, device_with_name/1]).
-export([wide_text/1, text/1, optional_library/1, standard_library/1, loaded/1]).

-spec node_of_table(0..3) -> ok.
node_of_table(_) -> true = is_atom(ets:info(ets:new(t, []), node)), ok.

-spec compressed_table(0..3) -> ok.
compressed_table(_) -> true = is_boolean(ets:info(ets:new(t, []), compressed)), ok.

-spec kind_of_table(0..3) -> ok.
kind_of_table(N) -> set = ets:info(ets:new(t, []), type), judged(N).

-spec ancestors(0..3) -> ok.
ancestors(_) ->
    Me = self(),
    P = proc_lib:spawn(fun() -> Me ! {self(), get('$ancestors')} end),
    receive {P, [_ | _]} -> ok end.

-spec initial_call(0..3) -> ok.
initial_call(_) -> _ = proc_lib:initial_call(self()), ok.

-spec device_with_name(0..3) -> ok.
device_with_name(_) ->
    try io:format(no_such_device, "x", []) catch error:_ -> ok end.

-spec wide_text(0..3) -> ok.
wide_text(_) -> io:put_chars([1024]).

-spec text(0..3) -> ok.
text(N) -> io:put_chars("text"), io:nl(), judged(N).

-spec optional_library(0..3) -> ok.
optional_library(_) -> {module, mnesia} = code:ensure_loaded(mnesia), ok.

-spec standard_library(0..3) -> ok.
standard_library(N) -> {module, lists} = code:ensure_loaded(lists), judged(N).

-spec loaded(0..3) -> ok.
loaded(_) -> application:load({application, what_the_caller_is, [{vsn, "1"}]}).

judged(0) -> error(zero);
judged(_) -> ok.
