%% Two appends to one growing binary do not see each other.
%%! f(3) ==> {<<3,2,1>>,<<3,2,1,120>>,<<3,2,1,121,121>>,<<3,2,1,120,122>>}
-module(append_branches).
-export([f/1]).
f(N) ->
    Base = grow(N, <<>>),
    X = <<Base/binary, "x">>,
    Y = <<Base/binary, "yy">>,
    X2 = <<X/binary, "z">>,
    {Base, X, Y, X2}.
grow(0, B) -> B;
grow(N, B) -> grow(N - 1, <<B/binary, N>>).
