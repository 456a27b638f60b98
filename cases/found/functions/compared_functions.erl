%% Formulas know functions by their arity only: which of two answers a comparison of functions has is explored once, and
%% nothing is claimed of the other one.
%%! same(fun erlang:node/0, fun erlang:node/0)   ==> error same
%%! same(fun erlang:node/0, fun erlang:now/0)    ==> ok
%%! key(fun erlang:node/0, fun erlang:node/0)    ==> error same
%%! own(fun erlang:node/0)                       ==> error same
%%! hashed(fun erlang:node/0, fun erlang:node/0) ==> error same
%%? same/2: clean; incomplete
%%? pattern/2: clean; incomplete
%%? before/2: clean; incomplete
%%? key/2: clean; incomplete
%%? own/1: clean; incomplete
%%? inside/2: clean; incomplete
%%? hashed/2: clean; incomplete
%%? asked/1: finds error:local; incomplete
%%? itself/1: finds error:same; exhausts
%%? arity/1: finds error:two; failures = 1; exhausts
%%? answers/2: finds error:same; failures = 1; exhausts
%%? kinds/1: finds error:function; failures = 1; exhausts
-module(compared_functions).
-export([same/2, pattern/2, before/2, key/2, own/1, inside/2, hashed/2, asked/1, itself/1, arity/1, answers/2, kinds/1]).

-type thunk() :: fun(() -> 0..3).

-spec same(thunk(), thunk()) -> ok.
same(F, G) -> case F =:= G of true -> error(same); false -> ok end.

-spec pattern(thunk(), thunk()) -> ok.
pattern(F, G) -> case {F, G} of {Same, Same} -> error(same); _ -> ok end.

-spec before(thunk(), thunk()) -> ok.
before(F, G) -> case F < G of true -> ok; false -> ok end.

-spec key(thunk(), thunk()) -> ok.
key(F, G) -> case #{F => 1} of #{G := _} -> error(same); _ -> ok end.

-spec own(thunk()) -> ok.
own(F) -> case F =:= fun erlang:node/0 of true -> error(same); false -> ok end.

%% What closures capture is compared with them.
-spec inside(thunk(), thunk()) -> ok.
inside(F, G) -> case wrapped(F) =:= wrapped(G) of true -> error(same); false -> ok end.

wrapped(F) -> fun() -> {F, 1} end.

-spec hashed(thunk(), thunk()) -> ok.
hashed(F, G) -> case erlang:phash2(F) =:= erlang:phash2(G) of true -> error(same); false -> ok end.

-spec asked(thunk()) -> ok.
asked(F) -> case erlang:fun_info(F, type) of {type, local} -> error(local); {type, external} -> ok end.

%% A function is itself, whoever it is.
-spec itself(thunk()) -> ok.
itself(F) -> case F =:= F of true -> error(same); false -> ok end.

-spec arity(fun((...) -> 0..3)) -> ok.
arity(F) when is_function(F, 2) -> error(two);
arity(_) -> ok.

%% What functions answer can be compared.
-spec answers(thunk(), thunk()) -> ok.
answers(F, G) -> case {F(), G()} of {1, 1} -> error(same); _ -> ok end.

%% A function and a number are never the same.
-spec kinds(thunk() | 0..3) -> ok.
kinds(F) -> case F == 2 orelse F =:= a of true -> ok; false -> case is_function(F) of true -> error(function); false -> ok end end.
