%% A module that is named by an input is one of the program's that have the function.
%%! run(module_by_name, 42)  ==> error found
%%! run(module_by_name, 1)   ==> 2
%%! run(nowhere, 1)          ==> error undef
%%? run/2: finds error:found for (module_by_name, 42); finds error:undef; failures = 2; incomplete
-module(module_by_name).
-export([run/2, handle/1]).

-spec run(module(), integer()) -> integer().
run(Module, X) -> Module:handle(X).

handle(42) -> error(found);
handle(X) -> X + 1.
