%% Comprehensions inside comprehensions: matrices.
%%! transpose([[1, 2, 3], [4, 5, 6]])            ==> [[1,4],[2,5],[3,6]]
%%! multiply([[1, 2], [3, 4]], [[5, 6], [7, 8]]) ==> [[19,22],"+2"]
-module(nested).
-export([transpose/1, multiply/2]).
transpose([[] | _]) -> [];
transpose(M) -> [[hd(R) || R <- M] | transpose([tl(R) || R <- M])].
multiply(A, B) ->
    Columns = transpose(B),
    [[lists:sum([X * Y || {X, Y} <- lists:zip(Row, Col)]) || Col <- Columns] || Row <- A].
