%% io_lib:write and its relations.
%%! f()                  ==> {"\"a\\\"b\\n\"","$a","'x y'",true,"\n"}
%%! g({a, "b", [<<1>>]}) ==> {"{a,[98],[<<1>>]}","{a,\"b\",[<<1>>]}","{a,...}"}
-module(writing_terms).
-export([f/0, g/1]).
f() -> {io_lib:write_string("a\"b\n"), io_lib:write_char($a), io_lib:write_atom('x y'), io_lib:quote_atom('if', []), io_lib:nl()}.
g(T) -> {lists:flatten(io_lib:write(T)), lists:flatten(io_lib:print(T)), lists:flatten(io_lib:write(T, 2))}.
