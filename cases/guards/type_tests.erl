%% Every type test, over a value of every kind.
%%! [f(X) || X <- [1, 1.5, a, true, "s", [], {}, #{}, <<1>>, <<1:3>>, 1 bsl 70]] ==> [[is_integer,is_number],[is_float,is_number],[is_atom],[is_atom,is_boolean],[is_list],[is_list],[is_tuple],[is_map],[is_binary,is_bitstring],[is_bitstring],[is_integer,is_number]]
%%! g() ==> {[is_pid],[is_reference],[is_function],[is_function]}
-module(type_tests).
-export([f/1, g/0]).
f(X) ->
    Tests = [is_atom, is_binary, is_bitstring, is_boolean, is_float, is_function,
             is_integer, is_list, is_map, is_number, is_pid, is_port, is_reference, is_tuple],
    [T || T <- Tests, erlang:T(X)].
g() -> {f(self()), f(make_ref()), f(fun() -> ok end), f(fun lists:map/2)}.
