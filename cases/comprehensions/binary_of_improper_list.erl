%% A comprehension that builds a binary measures its list before it begins, so the exception has the whole improper list.
%%! f([0 | 0])    ==> error {bad_generator,[0|0]}
%%! f([1, 2 | a]) ==> error {bad_generator,[1,2|a]}
%%! f([a | b])    ==> error {bad_generator,[a|b]}
%%! f([1, 2])     ==> <<0,1,0,2>>
%%! f(a)          ==> error {bad_generator,a}
-module(binary_of_improper_list).
-export([f/1]).
f(L) -> << <<X:16>> || X <- L >>.
