%% Parameters that are processes of somebody else: two may be the same one, or the caller itself, they may stand in
%% structures, and they answer calls and plain messages.
%%? same/2: finds error:same; exhausts
%%? own/1: finds error:own; exhausts
%%? nested/1: finds error:badarith; failures = 1; exhausts
%%? listed/1: finds error:twice
%%? owned/1: finds error:{dead_owner, _}; exhausts
%%? asks/1: finds error:badarith; failures = 1; incomplete
%%? asks_with_reference/1: finds error:badarith; failures = 1; exhausts
%%? ends/1: clean; exhausts
%%? speaks_another_language/1: clean; incomplete
%%? waits_for_its_own/1: finds deadlock
%%? three/3: clean; incomplete
-module(strangers).
-export([same/2, own/1, nested/1, listed/1, owned/1, asks/1, asks_with_reference/1, ends/1, speaks_another_language/1]).
-export([waits_for_its_own/1, three/3, idles/0]).

-record(connection, {owner :: pid(), tag :: atom()}).

-spec same(pid(), pid()) -> ok.
same(P, P) -> error(same);
same(_, _) -> ok.

-spec own(pid()) -> ok.
own(P) when P =:= self() -> error(own);
own(_) -> ok.

-spec nested({pid(), integer()}) -> integer().
nested({P, N}) -> gen_server:call(P, hello), 1 div (N - 2).

-spec listed([pid()]) -> non_neg_integer().
listed([A, B]) when A =:= B -> error(twice);
listed(Others) -> length(Others).

-spec owned(#connection{}) -> true.
owned(#connection{owner = Owner, tag = Tag}) -> is_process_alive(Owner) orelse error({dead_owner, Tag}).

-spec asks(pid()) -> term().
asks(P) ->
    P ! {self(), get},
    receive
        {P, N} when is_integer(N) -> 10 div (N - 5);
        {P, Other} -> Other
    end.

-spec asks_with_reference(pid()) -> term().
asks_with_reference(P) ->
    Ref = make_ref(),
    P ! {get, Ref, self()},
    receive
        {Ref, N} when is_integer(N) -> 10 div (N - 5);
        {Ref, Other} -> Other
    end.

-spec ends(pid()) -> true.
ends(P) -> exit(P, kill).

%% No stranger answers so, and that is said.
-spec speaks_another_language(pid()) -> ok.
speaks_another_language(P) ->
    P ! {self(), get},
    receive
        {answer, P, N} -> error({never, N})
    end.

%% A stranger has nothing to do with this.
-spec waits_for_its_own(pid()) -> term().
waits_for_its_own(_) -> gen_server:call(spawn(?MODULE, idles, []), hello).

idles() -> receive never -> ok end.

%% That the last two are the same one and the first is another is not tried, and that is said.
-spec three(pid(), pid(), pid()) -> ok.
three(A, B, B) when A =/= B, A =/= self(), B =/= self() -> error(same);
three(_, _, _) -> ok.
