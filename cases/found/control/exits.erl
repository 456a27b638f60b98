%% Every class of exception is a failure unless it is caught, an exit with reason normal too.
%%! leave(normal) ==> exit normal
%%! leave(x)      ==> ok
%%! toss(3)       ==> throw {ball,3}
%%! held(3)       ==> 3
%%? leave/1: finds exit:normal for (normal); failures = 1; exhausts; runs = 2
%%? toss/1: finds throw:{ball,3} for (3); failures = 1; exhausts
%%? held/1: clean; exhausts
-module(exits).
-export([leave/1, toss/1, held/1]).

leave(normal) -> exit(normal);
leave(_) -> ok.

-spec toss(integer()) -> integer().
toss(3) -> throw({ball, 3});
toss(N) -> N.

-spec held(integer()) -> integer().
held(N) -> catch toss(N), N.
