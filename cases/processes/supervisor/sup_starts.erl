%% What a supervisor's init and its first children come to; those that were started before are stopped.
%%! start(ignore)                          ==> ignore
%%! start(nonsense)                        ==> {error,{bad_return,{sup_starts,init,nonsense}}}
%%! start({ok, {#{strategy => none}, []}}) ==> {error,{supervisor_data,{invalid_strategy,none}}}
%%! start({ok, {#{}, [nonsense]}})         ==> {error,{start_spec,{invalid_child_spec,nonsense}}}
%%! start({raise, bug})                    ==> {error,{bug,stack}}
%%! children([ok, ok])                     ==> {ok,[{2,pid},{1,pid}],[1,2]}
%%! children([ok, ignore, ok])             ==> {ok,[{3,pid},{2,undefined},{1,pid}],[1,2,3]}
%%! children([ok, fail, ok])               ==> {failed,2,cannot,[1,2],shutdown}
%%! children([ok, crash])                  ==> {failed,2,bug,[1,2],shutdown}
%%! named()                                ==> {true,[]}
-module(sup_starts).
-behaviour(supervisor).
-export([start/1, children/1, named/0, init/1, start_child/3]).
init({raise, Why}) -> error(Why);
init(Result) -> Result.
start_child(K, How, To) ->
    To ! {start, K},
    case How of
        ok -> {ok, spawn_link(fun() -> process_flag(trap_exit, true), To ! {ready, K}, receive {'EXIT', _, Why} -> To ! {ended, K, Why} end end)};
        ignore -> ignore;
        fail -> {error, cannot};
        crash -> error(bug)
    end.
start(Init) ->
    process_flag(trap_exit, true),
    case supervisor:start_link(?MODULE, Init) of
        {error, {Why, [_ | _]}} when is_atom(Why) -> {error, {Why, stack}};
        Other -> Other
    end.
children(Hows) ->
    process_flag(trap_exit, true),
    Specs = [#{id => K, start => {?MODULE, start_child, [K, How, self()]}} || {K, How} <- lists:zip(lists:seq(1, length(Hows)), Hows)],
    case supervisor:start_link(?MODULE, {ok, {#{}, Specs}}) of
        {ok, Sup} ->
            Kids = [{Id, if is_pid(P) -> pid; true -> P end} || {Id, P, _, _} <- supervisor:which_children(Sup)],
            {ok, Kids, log(starts)};
        {error, {shutdown, {failed_to_start_child, Id, Why}}} ->
            {failed, Id, case Why of {'EXIT', {W, _}} -> W; W -> W end, log(starts), receive {'EXIT', _, End} -> element(1, End) end}
    end.
log(starts) -> receive {start, K} -> [K | log(starts)] after 0 -> [] end.
named() ->
    {ok, Sup} = supervisor:start_link({local, sup_starts_name}, ?MODULE, {ok, {#{}, []}}),
    {error, {already_started, Sup}} = supervisor:start_link({local, sup_starts_name}, ?MODULE, {ok, {#{}, []}}),
    {whereis(sup_starts_name) =:= Sup, supervisor:which_children(sup_starts_name)}.
