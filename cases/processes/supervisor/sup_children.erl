%% Children are started, listed, ended, started again and deleted while the supervisor runs.
%%! life()       ==> {[{b,pid,worker,[sup_children]},{a,pid,worker,[sup_children]}],[{b,pid,worker,[sup_children]},{a,undefined,worker,[sup_children]}],true,false,true,[{b,pid,worker,[sup_children]}],[{specs,1},{active,1},{supervisors,0},{workers,1}]}
%%! errors()     ==> {{error,running},{error,running},{error,not_found},{error,not_found},{error,not_found},[{ok,undefined},{error,cannot},{error,{'EXIT',bug}},{error,nonsense}],[{ignore,undefined,worker,[sup_children]},{a,pid,worker,[sup_children]}]}
%%! duplicate()  ==> {error,already_present}
%%! bad_specs()  ==> [{error,missing_start},{error,{invalid_restart_type,never}},{error,{invalid_child_spec,nonsense}}]
%%! checked()    ==> {ok,{error,{duplicate_child_name,a}},{error,missing_id}}
%%! child_spec() ==> {{ok,#{id => a,modules => [sup_children],restart => permanent,shutdown => 5000,significant => false,start => {sup_children,start_child,[ok]},type => worker}},{error,not_found}}
-module(sup_children).
-behaviour(supervisor).
-export([life/0, errors/0, duplicate/0, bad_specs/0, checked/0, child_spec/0, init/1, start_child/1]).
init(Children) -> {ok, {#{}, Children}}.
start_child(ok) -> {ok, spawn_link(fun() -> receive Why -> exit(Why) end end)};
start_child(info) -> {ok, spawn_link(fun() -> receive Why -> exit(Why) end end), extra};
start_child(ignore) -> ignore;
start_child(fail) -> {error, cannot};
start_child(crash) -> error(bug);
start_child(nonsense) -> nonsense.
spec(Id, How) -> #{id => Id, start => {?MODULE, start_child, [How]}}.
start() -> {ok, Sup} = supervisor:start_link(?MODULE, []), Sup.
seen(Sup) -> [{Id, if is_pid(P) -> pid; true -> P end, Type, Modules} || {Id, P, Type, Modules} <- supervisor:which_children(Sup)].
life() ->
    Sup = start(),
    {ok, A} = supervisor:start_child(Sup, spec(a, ok)),
    {ok, B, extra} = supervisor:start_child(Sup, spec(b, info)),
    S1 = seen(Sup),
    ok = supervisor:terminate_child(Sup, a),
    S2 = seen(Sup),
    {ok, A2} = supervisor:restart_child(Sup, a),
    ok = supervisor:terminate_child(Sup, a),
    ok = supervisor:delete_child(Sup, a),
    {S1, S2, A =/= A2, is_process_alive(A2), is_process_alive(B), seen(Sup), supervisor:count_children(Sup)}.
errors() ->
    Sup = start(),
    {ok, _} = supervisor:start_child(Sup, spec(a, ok)),
    {supervisor:delete_child(Sup, a), supervisor:restart_child(Sup, a), supervisor:terminate_child(Sup, nobody),
     supervisor:restart_child(Sup, nobody), supervisor:delete_child(Sup, nobody),
     [short(supervisor:start_child(Sup, spec(How, How))) || How <- [ignore, fail, crash, nonsense]], seen(Sup)}.
short({error, {{'EXIT', {Why, [_ | _]}}, _}}) -> {error, {'EXIT', Why}};
short({error, {Why, Child}}) when element(1, Child) =:= child -> {error, Why};
short(Other) -> Other.
duplicate() ->
    Sup = start(),
    {ok, P} = supervisor:start_child(Sup, spec(a, ok)),
    {error, {already_started, P}} = supervisor:start_child(Sup, spec(a, ok)),
    ok = supervisor:terminate_child(Sup, a),
    supervisor:start_child(Sup, spec(a, ok)).
bad_specs() ->
    Sup = start(),
    [supervisor:start_child(Sup, Spec) || Spec <- [#{id => x}, #{id => x, start => {m, f, []}, restart => never}, nonsense]].
checked() -> {supervisor:check_childspecs([spec(a, ok)]), supervisor:check_childspecs([spec(a, ok), spec(a, ok)]), supervisor:check_childspecs([#{start => x}])}.
child_spec() -> Sup = start(), {ok, _} = supervisor:start_child(Sup, spec(a, ok)), {supervisor:get_childspec(Sup, a), supervisor:get_childspec(Sup, b)}.
