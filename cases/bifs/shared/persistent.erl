%% Persistent terms are found until they are erased.
%%! f()                              ==> {ok,[1,2],ok,b,true,false,none,false}
%%! missing(persistent_case_missing) ==> error badarg
-module(persistent).
-export([f/0, missing/1]).
f() ->
    K = {?MODULE, 1},
    {persistent_term:put(K, [1, 2]), persistent_term:get(K), persistent_term:put(K, b), persistent_term:get(K, none),
     persistent_term:erase(K), persistent_term:erase(K), persistent_term:get(K, none),
     lists:keymember(K, 1, persistent_term:get())}.
missing(K) -> persistent_term:get(K).
