%% A store of settings whose types say more than the code means; `port/1` returns what its type forbids.
-module(wide).
-export([get/2, put/3, size/1, name/1, timeout/1, level/1, port/1]).

-type settings() :: [{atom(), term()}].

-spec get(term(), settings()) -> term().
get(Key, Settings) ->
    {Key, Value} = lists:keyfind(Key, 1, Settings),
    Value.

-spec put(term(), term(), term()) -> settings().
put(Key, Value, Settings) when is_atom(Key) ->
    [{Key, Value} | Settings].

-spec size(any()) -> non_neg_integer().
size(Settings) ->
    length(Settings).

-spec name(term()) -> string().
name(Name) when is_atom(Name) -> atom_to_list(Name);
name(Name) when is_binary(Name) -> binary_to_list(Name).

-spec timeout(term()) -> infinity | non_neg_integer().
timeout(infinity) -> infinity;
timeout(Seconds) -> Seconds * 1000.

-spec level(integer()) -> debug | info | error.
level(0) -> debug;
level(1) -> info;
level(2) -> error.

%% @doc The port after that of an address in six bytes.
-spec port(binary()) -> 0..65535 | none.
port(<<_:4/binary, Port:16>>) -> Port + 1;
port(_) -> none.
