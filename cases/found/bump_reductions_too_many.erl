%% Only a small integer of the BEAM is a number of reductions.
%%! bump(576460752303423487) ==> true
%%! bump(576460752303423488) ==> error badarg
%%! bump(0)                  ==> true
-module(bump_reductions_too_many).
-export([bump/1]).
bump(Reductions) -> erlang:bump_reductions(Reductions).
