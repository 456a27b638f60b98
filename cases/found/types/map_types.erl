%% Maps of a type with required and optional keys: never without the first, sometimes with the second.
%%! port(#{host => a, port => 0}) ==> error {no_port,a}
%%! port(#{host => a})            ==> 80
%%? port/1: finds error:{no_port,_} for (#{host := H, port := 0}) when is_atom(H); failures = 1; exhausts
-module(map_types).
-export([port/1]).

-spec port(#{host := atom(), port => 0..65535}) -> 1..65535.
port(#{port := 0, host := Host}) -> error({no_port, Host});
port(#{port := Port, host := _}) -> Port;
port(#{host := _}) -> 80.
