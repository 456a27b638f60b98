%% pg on one node: a process may be in several groups, and several times in one.
%%! members() ==> {ok,ok,[a,b],2,[]}
%%! twice()   ==> {ok,[a,a],ok,[a]}
%%! leaves()  ==> {ok,not_joined,[]}
%%! dies()    ==> [b]
%%! groups()  ==> [x,{y,1},"z"]
-module(process_groups).
-export([members/0, twice/0, leaves/0, dies/0, groups/0]).
-define(SCOPE, process_groups_scope).
waiting() -> spawn(fun() -> receive Why -> exit(Why) end end).
scoped(F) ->
    {ok, Scope} = pg:start(?SCOPE),
    Result = F(),
    R = monitor(process, Scope),
    gen_server:stop(Scope),
    receive {'DOWN', R, _, _, _} -> Result end.
names(Group, Known) -> lists:sort([proplists:get_value(P, Known) || P <- pg:get_members(?SCOPE, Group)]).
members() ->
    scoped(fun() ->
        [A, B] = [waiting(), waiting()],
        {pg:join(?SCOPE, g, A), pg:join(?SCOPE, g, [B]), names(g, [{A, a}, {B, b}]),
         length(pg:get_local_members(?SCOPE, g)), pg:get_members(?SCOPE, no_such_group)}
    end).
twice() -> scoped(fun() -> A = waiting(), {pg:join(?SCOPE, g, [A, A]), names(g, [{A, a}]), pg:leave(?SCOPE, g, A), names(g, [{A, a}])} end).
leaves() -> scoped(fun() -> A = waiting(), pg:join(?SCOPE, g, A), {pg:leave(?SCOPE, g, A), pg:leave(?SCOPE, g, A), names(g, [])} end).
dies() ->
    scoped(fun() ->
        [A, B] = [waiting(), waiting()],
        ok = pg:join(?SCOPE, g, [A, B]),
        R = monitor(process, A),
        A ! over,
        receive {'DOWN', R, _, _, _} -> ok end,
        sys:get_state(?SCOPE),
        names(g, [{A, a}, {B, b}])
    end).
groups() ->
    scoped(fun() -> A = waiting(), [ok = pg:join(?SCOPE, G, A) || G <- [x, {y, 1}, "z"]], lists:sort(pg:which_groups(?SCOPE)) end).
