%% Integers of a fixed width: products that wrap around, and hashes that collide.
%%! int(16#80000000) ==> -2147483648
%%! cube(1717986917) ==> -584115555
%%! slot(97, 98)     ==> 3914
%%? cube/1: finds error:five for (X) when (X * X * X) band 16#FFFFFFFF =:= 5; failures = 1
%%? overflow/2: finds error:{overflow,P} for (X, Y) when X > 0, Y > 0, P < 0; failures = 1
%%? slot/2: finds error:collision; failures = 1
%%? spread/1: finds error:found; failures = 1
-module(wrapped_products).
-export([int/1, cube/1, overflow/2, slot/2, spread/1]).

-type int() :: -16#80000000..16#7FFFFFFF.

-spec int(integer()) -> int().
int(X) ->
    case X band 16#FFFFFFFF of
        Y when Y >= 16#80000000 -> Y - 16#100000000;
        Y -> Y
    end.

-spec cube(int()) -> int().
cube(X) ->
    case int(X * X * X) of
        5 -> error(five);
        Y -> Y
    end.

-spec overflow(int(), int()) -> int().
overflow(X, Y) ->
    case int(X * Y) of
        P when X > 0, Y > 0, P < 0 -> error({overflow, P});
        P -> P
    end.

-spec slot(0..16#FFFF, 0..16#FFFF) -> 0..16#FFFF.
slot(X, Y) ->
    Hash = hash(X, Y),
    case hash(77, 99) of
        Hash when X =/= 77 -> error(collision);
        _ -> Hash
    end.

hash(X, Y) -> ((X bsl 5) bxor (X bsr 2) bxor (Y bsl 3) bxor Y) band 16#FFFF.

-spec spread(0..16#FFFFFFFF) -> 0..16#FFFFFFFF.
spread(X) ->
    A = X bxor ((X bsl 13) band 16#FFFFFFFF),
    B = A bxor (A bsr 17),
    case B bxor ((B bsl 5) band 16#FFFFFFFF) of
        16#CAFEBABE -> error(found);
        C -> C
    end.
