%% The maps functions that are BIFs.
%%! f(#{1 => a, 2 => b}) ==> {true,{ok,a},error,[1,2],[a,b],#{1 => a,2 => b,3 => c},#{2 => b},#{1 => a,2 => d},{b,#{1 => a}},[{1,a},{2,b}]}
%%! f(#{})               ==> {false,error,error,[],[],#{3 => c},#{},#{2 => d},error,[]}
%%! f(x)                 ==> error {badmap,x}
-module(natives).
-export([f/1]).
f(M) ->
    {maps:is_key(1, M), maps:find(1, M), maps:find(z, M), maps:keys(M), maps:values(M), maps:put(3, c, M),
     maps:remove(1, M), maps:merge(M, #{2 => d}), maps:take(2, M), maps:to_list(M)}.
