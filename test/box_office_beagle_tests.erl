%% Regression tests for box_office, found by Beagle.
%%
%% Each test fails as long as its bug is there, and passes when it is mended; it says in its name
%% and its comment what was found. Tests of paths say what a function did when they were written.
%%
%% Beagle only ever adds to this file. A test that you change stays as you have changed it. One that
%% you delete comes back if its bug is found again, unless you leave the line with its `beagle:` id.
%%
-module(box_office_beagle_tests).

-include_lib("eunit/include/eunit.hrl").

%% beagle:bb499c87
%% box_office:cancel/2 returns {ok,-1}, which its specification does not allow
%% -spec cancel(pid(), Group :: atom()) -> {ok, non_neg_integer()} | {error, not_booked}.
client_breaks_its_spec_test_() ->
    {spawn, fun() ->
        {ok, Pid} = box_office:open(1),
        box_office:book(Pid, b, 2),
        box_office:book(Pid, a, 1),
        Result = box_office:cancel(Pid, a),
        ?assert((is_tuple(Result) andalso tuple_size(Result) =:= 2 andalso element(1, Result) =:= ok andalso is_integer(element(2, Result)) andalso element(2, Result) >= 0) orelse (is_tuple(Result) andalso tuple_size(Result) =:= 2 andalso element(1, Result) =:= error andalso element(2, Result) =:= not_booked))
    end}.
