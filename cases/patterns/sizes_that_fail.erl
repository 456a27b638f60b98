%% A size that cannot be computed inside a pattern means that the pattern does not match.
%%! divided(<<0, 1, 2>>)               ==> {none,0,<<1,2>>}
%%! divided(<<2, 1, 2, 3, 4, 5>>)      ==> {2,<<1,2,3,4,5>>,<<>>}
%%! outer(<<1, 2, 3>>, a)              ==> {<<1,2>>,3}
%%! outer(<<1, 2, 3>>, 2)              ==> {<<1,2>>,<<3>>}
%%! outer(<<1, 2, 3>>, -1)             ==> {<<1,2>>,3}
%%! outer(<<1, 2, 3>>, 1 bsl 70)       ==> {<<1,2>>,3}
%%! chain(<<1, 2, 3, 4, 5, 6>>)        ==> {1,2,<<3,4>>,<<5,6>>}
%%! chain(<<2, 1, 3, 4, 5, 6>>)        ==> {one,2,<<1,3>>,<<4,5>>,6}
%%! same(<<1, 1>>)                     ==> {same,1}
%%! same(<<1, 2>>)                     ==> {1,2}
%%! twice(<<2:4, 3:4, 1:2, 5:3, 7:3>>) ==> {2,3,1,5,<<7:3>>}
-module(sizes_that_fail).
-compile(export_all).
-compile(nowarn_export_all).

divided(<<N, X:(10 div N)/binary, Rest/binary>>) -> {N, X, Rest};
divided(<<N, Rest/binary>>) -> {none, N, Rest};
divided(Other) -> Other.

outer(Bin, N) ->
    case Bin of
        <<X:N/binary, Rest/binary>> -> {X, Rest};
        <<X:(byte_size(Bin) - 1)/binary, Y>> -> {X, Y};
        _ -> none
    end.

chain(<<A, B:A/unit:8, C:B/binary, D/binary>>) -> {A, B, C, D};
chain(<<A, B:A/binary, C:A/binary, D>>) -> {one, A, B, C, D};
chain(<<A, B:A/binary, C/binary>>) -> {two, A, B, C}.

same(<<A, A>>) -> {same, A};
same(<<A, B>>) -> {A, B}.

twice(<<N:4, M:4, A:N, B:M, Rest/bits>>) -> {N, M, A, B, Rest}.
