%% Two parts of one expression may bind the same variable, and each of them may use it.
%%! {case 5 of Z -> Z end, case 5 of Z -> Z + 1 end}       ==> {5,6}
%%! <<(case 5 of Z -> Z end), (case 5 of Z -> Z + 1 end)>> ==> <<5,6>>
%%! {(X = 5), begin X = 5, X + 1 end}                      ==> {5,6}
%%! begin {(X = 5), begin X = 5, X + 1 end}, X end         ==> 5
%%! begin {case 5 of Z -> Z end, case 5 of Z -> Z + 1 end}, Z end ==> 5
%%! pair(5)                                                ==> {5,6}
-module(siblings_bind_alike).
-export([pair/1]).
pair(A) -> {case A of Z -> Z end, case A of Z -> Z + 1 end}.
