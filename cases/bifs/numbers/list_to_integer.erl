%% Text to integers: signs are fine, spaces and emptiness are not.
%%! [f(S) || S <- ["42", "-42", "+42", "007", "123456789012345678901234567890"]] ==> [42,-42,42,7,123456789012345678901234567890]
%%! [f(S) || S <- ["", "-", "4 2", " 42", "4.2", "0x10", abc, [1, 2], "1_000"]] ==> [badarg,badarg,badarg,badarg,badarg,badarg,badarg,badarg,badarg]
%%! g("ff", 16)  ==> 255
%%! g("FF", 16)  ==> 255
%%! g("-zz", 36) ==> -1295
%%! g("12", 2)   ==> error badarg
%%! g("1", 40)   ==> error badarg
-module(list_to_integer).
-export([f/1, g/2]).
f(S) -> try list_to_integer(S) catch error:R -> R end.
g(S, Base) -> list_to_integer(S, Base).
