%% A guard that works on the subject leaves it as it is for the clauses behind.
%%! sizes(#{a => 1})        ==> {a,1}
%%! sizes({1, 2})           ==> {tuple,b}
%%! sizes({1})              ==> {one,1}
%%! sizes([])               ==> {other,[]}
%%! parts({#{a => 1}})      ==> {other,#{a => 1}}
%%! parts({{x, y}})         ==> tuple
%%! parts({{x}})            ==> {inner,x}
%%! parts({[x]})            ==> {other,[x]}
%%! nested([{1, 2, 3}])     ==> three
%%! nested([{1, 2}])        ==> [1,2]
%%! nested([abc])           ==> [abc]
%%! chained({1, 2, 3, 4})   ==> 3
%%! bytes(<<1, 2, 3>>)      ==> {1,<<2,3>>}
%%! bytes(<<>>)             ==> <<>>
%%! several([1], {2})       ==> {[1],{2}}
%%! several([1, 2], {2, 3}) ==> {[1,2],{2,3}}
-module(guard_keeps_subject).
-compile(export_all).
-compile(nowarn_export_all).

id(X) -> X.

sizes(X) ->
    case id(X) of
        Map when map_size(Map) > 3 -> {large, a};
        Tuple when tuple_size(Tuple) > 1 -> {tuple, b};
        {One} -> {one, One};
        #{a := A} -> {a, A};
        Other -> {other, Other}
    end.

parts(X) ->
    case id(X) of
        {Map} when map_size(Map) > 3 -> large;
        {Tuple} when tuple_size(Tuple) > 1 -> tuple;
        {{Inner}} -> {inner, Inner};
        {Other} -> {other, Other}
    end.

nested(X) ->
    case id(X) of
        [Tuple] when tuple_size(Tuple) > 2 -> three;
        [Atom] when length(Atom) > 2 -> list;
        [{A, B}] -> [A, B];
        Other -> Other
    end.

chained(X) ->
    case id(X) of
        T when element(1, T) =:= 2; element(2, T) =:= 1 -> first;
        U when tuple_size(U) + 1 < 3 -> second;
        {_, _, C, _} -> C
    end.

bytes(X) ->
    case id(X) of
        A when byte_size(A) > 5 -> long;
        B when bit_size(B) =:= 8 -> one;
        <<C, Rest/binary>> -> {C, Rest};
        D -> D
    end.

several(X, Y) ->
    case {id(X), id(Y)} of
        {A, B} when length(A) > tuple_size(B) -> longer;
        {C, D} when length(C) =:= 2, tuple_size(D) =:= 1 -> two_one;
        {E, F} -> {E, F}
    end.
