%% Literals of all kinds among patterns and variables, in every order.
%%! [kind(X) || X <- [0, 0.0, -0.0, 1, 1.0, -1, 1 bsl 62, -(1 bsl 62), 1 bsl 62 - 1, 1 bsl 64, a, [], "", "ab", "abc", <<>>, <<"ab">>, {}, {a}, {a, b}, #{}, #{a => 1}]] ==> [zero,zero_float,zero_float,{other,1},one_float,{negative,-1},big,{negative,-4611686018427387904},{other,4611686018427387903},bigger,a,empty,empty,ab,{list,3},empty_binary,binary_ab,empty_tuple,tuple_a,{other,{a,b}},map,map_a]
%%! [two(X, Y) || X <- [1, a, [], {1}], Y <- [1, 2, a, b, []]] ==> [a,b,{d,a},{d,b},{d,[]},{c,1},b,{c,a},{a,b},{c,[]},{[],1},b,{f,a},{f,b},e,inside,b,{{1},a},{{1},b},{{1},[]}]
%%! [dense(X) || X <- [-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 100, a, 1.0, 1 bsl 64]] ==> [{-2},g,a,b,c,{3},d,e,h,f,large,large,large,{1.0},large]
%%! [sparse(X) || X <- [-1000000000000, 0, 5, 1000, 1000000000000, 4611686018427387903, 4611686018427387904, -4611686018427387904, -4611686018427387905, x]] ==> [a,i,c,b,d,f,h,g,j,e]
%%! [mixed(X) || X <- [[], [1], [1, 2], [a | b], {}, {1}, {1, 2}, {1, 2, 3}, a, 1, 1.5, "x"]] ==> [nil,list_one,[1,2],improper,none,one,{second,2},{1,2,3},atom,int,1.5,{head,120}]
%%! [map_keys(M, K) || M <- [#{}, #{a => 1}, #{a => 2, 1 => x}, #{1.0 => y, {1} => z}], K <- [a, 1, 1.0, {1}, [x]]] ==> [none,none,none,none,none,first,none,none,none,none,{2,2},{2,x},none,none,none,none,none,{tuple,y},z,none]
%%! [prefix(B) || B <- [<<>>, <<"GET /">>, <<"GET">>, <<"PUT x">>, <<"POST">>, <<1:3>>, <<"GETX">>]] ==> [empty,{get,<<"/">>},get,{put,<<"T x">>},post,{bits,1},{other,<<"GETX">>}]
-module(literals_mixed).
-compile(export_all).
-compile(nowarn_export_all).

kind(0) -> zero;
kind(1.0) -> one_float;
kind("ab") -> ab;
kind([]) -> empty;
kind(0.0) -> zero_float;
kind(4611686018427387904) -> big;
kind({a}) -> tuple_a;
kind(<<"ab">>) -> binary_ab;
kind(X) when is_integer(X), X < 0 -> {negative, X};
kind(18446744073709551616) -> bigger;
kind({}) -> empty_tuple;
kind(#{a := 1}) -> map_a;
kind(a) -> a;
kind([_ | _] = L) -> {list, length(L)};
kind(<<>>) -> empty_binary;
kind({X, X}) -> same;
kind(#{}) -> map;
kind(X) -> {other, X}.

two(1, 1) -> a;
two(_, 2) -> b;
two(a, X) when X =/= b -> {c, X};
two(1, X) -> {d, X};
two([], []) -> e;
two([], X) when is_atom(X) -> {f, X};
two(X, X) -> same;
two({X}, X) -> inside;
two(X, Y) -> {X, Y}.

dense(0) -> a; dense(1) -> b; dense(2) -> c; dense(4) -> d; dense(5) -> e; dense(7) -> f; dense(-1) -> g;
dense(0) -> never; dense(X) when X > 7 -> large; dense(6) -> h; dense(X) -> {X}.

sparse(-1000000000000) -> a; sparse(1000) -> b; sparse(5) -> c; sparse(1000000000000) -> d; sparse(x) -> e;
sparse(4611686018427387903) -> f; sparse(-4611686018427387904) -> g; sparse(4611686018427387904) -> h;
sparse(0) -> i; sparse(-4611686018427387905) -> j.

mixed([]) -> nil;
mixed({_}) -> one;
mixed([1]) -> list_one;
mixed({A, B}) when A > B -> descending;
mixed([1 | T]) when T =/= [2] -> tail;
mixed([_ | b]) -> improper;
mixed({_, B}) -> {second, B};
mixed(a) -> atom;
mixed({}) -> none;
mixed([X | _]) when is_integer(X), X > 1 -> {head, X};
mixed(1) -> int;
mixed(X) -> X.

map_keys(M, K) ->
    case M of
        #{K := 1} -> first;
        #{a := V, K := W} -> {V, W};
        #{{1} := Z, K := W} when W =/= Z -> {tuple, W};
        #{K := V} -> V;
        _ -> none
    end.

prefix(<<"GET ", Rest/binary>>) -> {get, Rest};
prefix(<<"GET">>) -> get;
prefix(<<"P", A, Rest/binary>>) when A =:= $U -> {put, Rest};
prefix(<<"POST">>) -> post;
prefix(<<X:3>>) -> {bits, X};
prefix(<<>>) -> empty;
prefix(B) -> {other, B}.
