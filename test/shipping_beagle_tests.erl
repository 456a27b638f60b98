%% Regression tests for shipping, found by Beagle.
%%
%% Each test fails as long as its bug is there, and passes when it is mended; it says in its name
%% and its comment what was found. Tests of paths say what a function did when they were written.
%%
%% Beagle only ever adds to this file. A test that you change stays as you have changed it. One that
%% you delete comes back if its bug is found again, unless you leave the line with its `beagle:` id.
%%
-module(shipping_beagle_tests).

-include_lib("eunit/include/eunit.hrl").

%% beagle:86bea3e4
%% shipping:cost/3 raises error function_clause
%% in shipping:base/2
cost_3_raises_function_clause_test() ->
    shipping:cost(30000, home, none).

%% beagle:87399081
%% shipping:cost/3 returns -1, which its specification does not allow
%% -spec cost(Grams :: pos_integer(), home | abroad, coupon()) -> non_neg_integer().
cost_3_breaks_its_spec_test() ->
    Result = shipping:cost(1, home, {minus,500}),
    ?assert(is_integer(Result) andalso Result >= 0).
