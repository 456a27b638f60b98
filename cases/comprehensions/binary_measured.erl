%% Which comprehensions are measured before they begin: those whose elements have one size, without filters. Generators
%% inside are measured even if the outer ones have no elements.
%%! filtered([2 | 3])            ==> error {bad_generator,3}
%%! matched([{1} | 2])           ==> error {bad_generator,2}
%%! text([$a | 2])              ==> error {bad_generator,2}
%%! parts([<<1>> | 2])          ==> error {bad_generator,2}
%%! own_sizes([1 | 2])          ==> error {bad_generator,2}
%%! given_size([1 | 2], 8)      ==> error {bad_generator,[1|2]}
%%! given_size([], b)           ==> error {bad_generator,[]}
%%! given_size([], 1.5)         ==> error {bad_generator,[]}
%%! given_size([], -1)          ==> <<>>
%%! given_size([5], 4)          ==> <<5:4>>
%%! called([a | b])             ==> error {bad_generator,[a|b]}
%%! chosen([1 | 2])             ==> error {bad_generator,[1|2]}
%%! nested([], foo)             ==> error {bad_generator,foo}
%%! nested([1 | a], foo)        ==> error {bad_generator,[1|a]}
%%! nested([b], [1 | a])        ==> error {bad_generator,[1|a]}
%%! nested([1, 2], [3])         ==> <<1,3,2,3>>
%%! dependent([[1] | 2])        ==> error {bad_generator,2}
%%! bits_outside(<<1>>, [1 | 2]) ==> error {bad_generator,2}
%%! bits_outside(<<>>, foo)     ==> <<>>
%%! bits_inside([], foo)        ==> error {bad_generator,foo}
%%! bits_inside([1 | 2], foo)   ==> error {bad_generator,[1|2]}
%%! bits_inside([1], <<2, 3>>)  ==> <<1,2,1,3>>
%%! twice([1 | 2])              ==> error {bad_generator,[1|2]}
%%! caught([1 | 2])             ==> {bad_generator,[1|2]}
-module(binary_measured).
-export([filtered/1, matched/1, text/1, parts/1, own_sizes/1, given_size/2, called/1, chosen/1, nested/2, dependent/1,
         bits_outside/2, bits_inside/2, twice/1, caught/1]).
filtered(L) -> << <<X>> || X <- L, X > 1 >>.
matched(L) -> << <<X>> || {X} <- L >>.
text(L) -> << <<X/utf8>> || X <- L >>.
parts(L) -> << <<X/binary>> || X <- L >>.
own_sizes(L) -> << <<X:X>> || X <- L >>.
given_size(L, S) -> << <<X:S>> || X <- L >>.
called(L) -> << <<(doubled(X)), 7:16>> || X <- L >>.
doubled(X) -> X * 2.
chosen(L) -> << <<(case X of 1 -> 2; _ -> 3 end)>> || X <- L >>.
nested(A, B) -> << <<X, Y>> || X <- A, Y <- B >>.
dependent(L) -> << <<Y>> || X <- L, Y <- X >>.
bits_outside(B, L) -> << <<X, Y>> || <<X>> <= B, Y <- L >>.
bits_inside(L, B) -> << <<X, Y>> || X <- L, <<Y>> <= B >>.
twice(L) -> {<< <<X>> || X <- L >>, << <<X>> || X <- L >>}.
caught(L) -> try << <<X>> || X <- L >> catch error:Reason -> Reason end.
