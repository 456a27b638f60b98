%% Floats in binaries, of both sizes; bits that are no float do not match.
%%! wide(<<2.5/float>>)                              ==> error {wide,2.5}
%%! wide(<<255, 255, 255, 255, 255, 255, 255, 255>>) ==> none
%%! narrow(<<0.5:32/float>>)                         ==> 0.5
%%? wide/1: finds error:{wide,2.5} for (<<2.5/float>>); failures = 1
%%? narrow/1: finds error:half for (<<0.5:32/float-little>>); failures = 1
-module(floats_in_bits).
-export([wide/1, narrow/1]).

-spec wide(binary()) -> float() | none.
wide(<<F:64/float>>) when F =:= 2.5 -> error({wide, F});
wide(<<F:64/float>>) -> F;
wide(_) -> none.

-spec narrow(binary()) -> float() | none.
narrow(<<F:32/float-little>>) when F =:= 0.5 -> error(half);
narrow(<<F:32/float>>) -> F;
narrow(_) -> none.
