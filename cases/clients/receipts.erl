%% Who checks a key out is given a function that brings it back. It works once; check_in/2 takes any such function.
%%? client: finds error:key_is_not_out
%% Scenario: D = receipts:new(), {E, Back} = receipts:check_out(D), F = receipts:check_in(E, Back), receipts:check_in(F, Back)
-module(receipts).
-export([new/0, check_out/1, check_in/2]).
-export_type([desk/0]).

-opaque desk() :: {desk, Out :: [reference()]}.

-spec new() -> desk().
new() -> {desk, []}.

-spec check_out(desk()) -> {desk(), fun((desk()) -> desk())}.
check_out({desk, Out}) ->
    Key = make_ref(),
    Back = fun({desk, Others}) ->
        lists:member(Key, Others) orelse error(key_is_not_out),
        {desk, lists:delete(Key, Others)}
    end,
    {{desk, [Key | Out]}, Back}.

-spec check_in(desk(), fun((desk()) -> desk())) -> desk().
check_in(Desk, Back) -> Back(Desk).
