%% Every type test is a decision about the kind of a value.
%%! which(1)                ==> error integer
%%! which(<<1:3>>)          ==> error bits
%%! which(fun erlang:abs/1) ==> identity
%%? which/1: finds error:integer for (X) when is_integer(X); finds error:float for (X) when is_float(X); finds error:boolean for (X) when is_boolean(X); finds error:atom for (X) when is_atom(X); finds error:list for (X) when is_list(X); finds error:tuple for (X) when is_tuple(X); finds error:map for (X) when is_map(X); finds error:binary for (X) when is_binary(X); finds error:bits for (X) when is_bitstring(X), not is_binary(X); failures >= 9
%%? record/1: finds error:point for ({point, _, _}); failures = 1
-module(kind_by_kind).
-export([which/1, record/1]).

which(X) when is_integer(X) -> error(integer);
which(X) when is_float(X) -> error(float);
which(X) when is_boolean(X) -> error(boolean);
which(X) when is_atom(X) -> error(atom);
which(X) when is_list(X) -> error(list);
which(X) when is_tuple(X) -> error(tuple);
which(X) when is_map(X) -> error(map);
which(X) when is_binary(X) -> error(binary);
which(X) when is_bitstring(X) -> error(bits);
which(_) -> identity.

-record(point, {x, y}).

record(X) when is_record(X, point) -> error(point);
record(_) -> ok.
