%% Calling a function or a module that does not exist raises undef.
%%! local_module() ==> error undef
%%! no_module()    ==> error undef
%%! wrong_arity()  ==> error undef
-module(on_undefined_function).
-export([local_module/0, no_module/0, wrong_arity/0]).
local_module() -> ?MODULE:nothing_here(1).
no_module() -> no_such_module_at_all:f().
wrong_arity() -> lists:reverse(1, 2, 3).
