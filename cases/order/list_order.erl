%% Lists compare element by element, the empty one first; tails may be anything.
%%! lists:sort([[1, 2], [1], [], [2], [1 | 2], [1 | a], [1, 1, 1], "b", [[]]]) ==> [[],[1|2],[1|a],[1],[1,1,1],[1,2],[2],"b",[[]]]
%%! f([1, 2], [1.0, 2]) ==> {false,true,false,false}
%%! f([1 | 5], [1, 5])  ==> {true,false,false,false}
-module(list_order).
-export([f/2]).
f(A, B) -> {A < B, A == B, A =:= B, A > B}.
