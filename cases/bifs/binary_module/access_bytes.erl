%% at, first, last, part and their errors.
%%! f(<<"abc">>)     ==> {97,99,98}
%%! f(<<>>)          ==> error badarg
%%! g(<<"abc">>, 3)  ==> error badarg
%%! g(<<"abc">>, -1) ==> error badarg
%%! h(<<"abcdef">>)  ==> {<<"cde">>,<<"f">>,"bc",<<1,2>>,<<"ababab">>,<<>>}
-module(access_bytes).
-export([f/1, g/2, h/1]).
f(B) -> {binary:first(B), binary:last(B), binary:at(B, 1)}.
g(B, N) -> binary:at(B, N).
h(B) -> {binary:part(B, 2, 3), binary:part(B, {6, -1}), binary:bin_to_list(B, 1, 2), binary:list_to_bin([1, [2]]),
    binary:copy(<<"ab">>, 3), binary:copy(B, 0)}.
