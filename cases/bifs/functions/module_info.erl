%% Every module has module_info.
%%! f() ==> {module_info,[{f,0},{module_info,0},{module_info,1}],[7]}
-module(module_info).
-export([f/0]).
-vsn(7).
f() -> {?MODULE:module_info(module), lists:sort(?MODULE:module_info(exports)), proplists:get_value(vsn, module_info(attributes))}.
