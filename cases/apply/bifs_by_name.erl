%% BIFs can be applied by name like any function.
%%! f(abs, [-3])            ==> 3
%%! f('+', [1, 2])          ==> 3
%%! f('++', ["ab", "cd"])   ==> "abcd"
%%! f('not', [true])        ==> false
%%! f(tuple_size, [{a, b}]) ==> 2
%%! f('div', [1, 0])        ==> error badarith
%%! f(hd, [[]])             ==> error badarg
%%! g()                     ==> {6,[-1,2]}
-module(bifs_by_name).
-export([f/2, g/0]).
f(F, A) -> apply(erlang, F, A).
g() -> {lists:foldl(fun erlang:'+'/2, 0, [1, 2, 3]), lists:map(fun erlang:'-'/1, [1, -2])}.
