%% List patterns tell lengths apart and leave the rest to the tail.
%%! f([])           ==> empty
%%! f([1])          ==> {one,1}
%%! f([1, 2])       ==> {two,1,2}
%%! f([1, 2, 3, 4]) ==> {more,1,2,[3,4]}
%%! f([1 | 2])      ==> {improper,1,2}
%%! f([1, 2 | x])   ==> {more,1,2,x}
%%! f(x)            ==> {no_list,x}
-module(list_shapes).
-export([f/1]).
f([]) -> empty;
f([X]) -> {one, X};
f([X, Y]) -> {two, X, Y};
f([X, Y | Rest]) -> {more, X, Y, Rest};
f([X | Tail]) -> {improper, X, Tail};
f(Other) -> {no_list, Other}.
