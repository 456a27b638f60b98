%% What a fun tells about itself.
%%! external()      ==> [{module,lists},{name,map},{arity,2},{env,[]},{type,external}]
%%! local(captured) ==> {{module,fun_info},{arity,2},{env,[captured]},{type,local}}
-module(fun_info).
-export([external/0, local/1]).
external() -> F = fun lists:map/2, [erlang:fun_info(F, I) || I <- [module, name, arity, env, type]].
local(X) ->
    F = fun(_, _) -> X end,
    {erlang:fun_info(F, module), erlang:fun_info(F, arity), erlang:fun_info(F, env), erlang:fun_info(F, type)}.
