%% to_integer and to_float read a prefix.
%%! [f(S) || S <- ["12ab", "-5", "+7x", "x", "", <<"42 rest">>, "99999999999999999999"]] ==> [{12,"ab"},{-5,[]},{7,"x"},{error,no_integer},{error,no_integer},{42,<<" rest">>},{99999999999999999999,[]}]
%%! [g(S) || S <- ["1.5abc", "-2.0e3", "1", "x", ".5", <<"3.25!">>]] ==> [{1.5,"abc"},{-2.0e3,[]},{error,no_float},{error,no_float},{error,no_float},{3.25,<<"!">>}]
-module(to_numbers).
-export([f/1, g/1]).
f(S) -> string:to_integer(S).
g(S) -> string:to_float(S).
