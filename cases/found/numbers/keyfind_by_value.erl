%% A list is searched by value, but the compiler believes that what is found for an integer is that integer.
%% It removes the test that would see the float; here the test is made.
%%-! key(1.0) ==> same
%%! key(1)    ==> same
-module(keyfind_by_value).
-export([key/1]).

key(X) ->
    case lists:keyfind(1, 1, [{X, a}]) of
        {Found, a} when Found =/= 1 -> {other, Found};
        {_, a} -> same;
        false -> none
    end.
