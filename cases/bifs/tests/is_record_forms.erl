%% is_record/2 and /3 as BIFs with computed arguments.
%%! f({r, 1}, r, 2) ==> {true,true}
%%! f({r, 1}, s, 2) ==> {false,false}
%%! f({r}, r, 2)    ==> {true,false}
%%! f(x, r, 2)      ==> {false,false}
%%! f({r}, 1, 1)    ==> error badarg
%%! f({r}, r, x)    ==> error badarg
-module(is_record_forms).
-export([f/3]).
f(T, Tag, N) -> {is_record(T, Tag), is_record(T, Tag, N)}.
