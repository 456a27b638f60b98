%% What leaves the function is the outcome of the call.
%%! f(throw)    ==> throw {a,[1]}
%%! f(error)    ==> error {b,"text"}
%%! f(exit)     ==> exit <<"bye">>
%%! f(badmatch) ==> error {badmatch,failed}
%%! f(badarith) ==> error badarith
-module(uncaught).
-export([f/1]).
f(throw) -> throw({a, [1]});
f(error) -> error({b, "text"});
f(exit) -> exit(<<"bye">>);
f(badmatch) -> {ok, _} = fail();
f(badarith) -> 1 + fail().
fail() -> failed.
