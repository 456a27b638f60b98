%% A tree that forgets to balance one of four shapes has a red node below a red one after three insertions.
%%! check([1, 2, 3]) ==> error {red_below_red,{black,leaf,1,{red,leaf,2,{red,leaf,3,leaf}}}}
%%! check([3, 2, 1]) ==> {black,{black,leaf,1,leaf},2,{black,leaf,3,leaf}}
%%! check([2, 1, 3]) ==> {black,{red,leaf,1,leaf},2,{red,leaf,3,leaf}}
%%? check/1 with bound 4, max 600: finds error:{red_below_red,_} for (L) when length(L) =:= 3; failures = 1
-module(red_black_tree).
-export([check/1]).

-type color() :: red | black.
-type tree() :: leaf | {color(), tree(), integer(), tree()}.

-spec check([integer()]) -> tree().
check(Keys) ->
    Tree = lists:foldl(fun insert/2, leaf, Keys),
    valid(Tree) orelse error({red_below_red, Tree}),
    Tree.

valid(leaf) -> true;
valid({red, {red, _, _, _}, _, _}) -> false;
valid({red, _, _, {red, _, _, _}}) -> false;
valid({_, Left, _, Right}) -> valid(Left) andalso valid(Right).

insert(Key, Tree) ->
    {_, Left, Root, Right} = add(Key, Tree),
    {black, Left, Root, Right}.

add(Key, leaf) -> {red, leaf, Key, leaf};
add(Key, {Color, Left, Root, Right}) when Key < Root -> balance({Color, add(Key, Left), Root, Right});
add(Key, {Color, Left, Root, Right}) when Key > Root -> balance({Color, Left, Root, add(Key, Right)});
add(_, Tree) -> Tree.

%% The shape of a right child with a right child is missing.
balance({black, {red, {red, A, X, B}, Y, C}, Z, D}) -> {red, {black, A, X, B}, Y, {black, C, Z, D}};
balance({black, {red, A, X, {red, B, Y, C}}, Z, D}) -> {red, {black, A, X, B}, Y, {black, C, Z, D}};
balance({black, A, X, {red, {red, B, Y, C}, Z, D}}) -> {red, {black, A, X, B}, Y, {black, C, Z, D}};
balance(Tree) -> Tree.
