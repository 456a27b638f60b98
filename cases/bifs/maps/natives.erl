%% The maps functions that are BIFs.
%%! f(#{a => 1, b => 2}) ==> {true,{ok,1},error,[a,b],[1,2],#{a => 1,b => 2,c => 3},#{b => 2},#{a => 1,b => 9},{2,#{a => 1}},[{a,1},{b,2}]}
%%! f(#{})               ==> {false,error,error,[],[],#{c => 3},#{},#{b => 9},error,[]}
%%! f(x)                 ==> error {badmap,x}
-module(natives).
-export([f/1]).
f(M) ->
    {maps:is_key(a, M), maps:find(a, M), maps:find(z, M), maps:keys(M), maps:values(M), maps:put(c, 3, M),
     maps:remove(a, M), maps:merge(M, #{b => 9}), maps:take(b, M), maps:to_list(M)}.
