%% Specs, types, opaque types and typed records do not change what runs.
%%! f(1) ==> {square,1}
%%! f(a) ==> {square,a}
%%! g()  ==> {#{id => 1},{r,-5,undefined}}
-module(specs_and_types).
-export([f/1, g/0]).
-export_type([shape/0, handle/0]).
-type shape() :: {circle, float()} | {square, integer()}.
-opaque handle() :: #{id := integer()}.
-record(r, {n = 0 :: non_neg_integer(), s :: shape() | undefined}).
-spec f(integer()) -> shape().
f(X) -> {square, X}.
-spec g() -> {handle(), #r{}}.
g() -> {#{id => 1}, #r{n = -5}}.
