%% Integer patterns of any size.
%%! f(18446744073709551616)           ==> two_to_64
%%! f(1 bsl 64)                       ==> two_to_64
%%! f(-(1 bsl 64))                    ==> minus_two_to_64
%%! f(1 bsl 59)                       ==> two_to_59
%%! f((1 bsl 59) - 1)                 ==> largest_small
%%! f(123456789012345678901234567890) ==> counting
%%! f(18446744073709551616.0)         ==> other
-module(big_integers).
-export([f/1]).
f(18446744073709551616) -> two_to_64;
f(-18446744073709551616) -> minus_two_to_64;
f(576460752303423488) -> two_to_59;
f(576460752303423487) -> largest_small;
f(123456789012345678901234567890) -> counting;
f(_) -> other.
