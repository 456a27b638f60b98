%% A chain of ten equalities is as many runs deep as it is long.
%%! chain(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) ==> error end_of_chain
%%? chain/10: finds error:end_of_chain for (1,2,3,4,5,6,7,8,9,10); failures = 1; exhausts; runs = 11
-module(ten_nested_equalities).
-export([chain/10]).

-spec chain(integer(), integer(), integer(), integer(), integer(),
            integer(), integer(), integer(), integer(), integer()) -> integer().
chain(A, B, C, D, E, F, G, H, I, J) ->
    if
        A =/= 1 -> 0;
        B =/= A + 1 -> 1;
        C =/= B + 1 -> 2;
        D =/= C + 1 -> 3;
        E =/= D + 1 -> 4;
        F =/= E + 1 -> 5;
        G =/= F + 1 -> 6;
        H =/= G + 1 -> 7;
        I =/= H + 1 -> 8;
        J =/= I + 1 -> 9;
        true -> error(end_of_chain)
    end.
