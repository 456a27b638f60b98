%% Searching and testing in lists.
%%! f([1, 2, 3, 4, 5]) ==> {true,false,[2,4],{[2,4],[1,3,5]},{value,2},[1,2],[3,4,5],{[1,2],[3,4,5]}}
%%! f([])              ==> {false,true,[],{[],[]},false,[],[],{[],[]}}
-module(searching).
-export([f/1]).
f(L) ->
    Even = fun(X) -> X rem 2 =:= 0 end,
    {lists:any(Even, L), lists:all(Even, L), lists:filter(Even, L), lists:partition(Even, L), lists:search(Even, L),
     lists:takewhile(fun(X) -> X < 3 end, L), lists:dropwhile(fun(X) -> X < 3 end, L), lists:splitwith(fun(X) -> X < 3 end, L)}.
