%% The top of the stack names the function that failed, or the BIF and its arguments.
%%! local()     ==> {here,stack_top,fail,1}
%%! bif()       ==> {badarg,erlang,atom_to_list,[1]}
%%! clause()    ==> {function_clause,stack_top,only_zero,[7]}
%%! undefined() ==> {undef,stack_top,missing,[1,2]}
-module(stack_top).
-export([local/0, bif/0, clause/0, undefined/0]).
local() -> top(fun() -> {fail(1), x} end).
bif() -> top(fun() -> {atom_to_list(id(1)), x} end).
clause() -> top(fun() -> {only_zero(id(7)), x} end).
undefined() -> top(fun() -> {?MODULE:missing(id(1), 2), x} end).
fail(_) -> error(here).
only_zero(0) -> ok.
id(X) -> X.
top(F) -> try F() catch error:R:Stack -> {M, N, A, _} = hd(Stack), {R, M, N, A} end.
