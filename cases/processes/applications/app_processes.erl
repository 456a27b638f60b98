%% The processes of an application have its master as their group leader, and end with it.
%%! served()                 ==> {ok,1}
%%! known_by_its_processes() ==> {{ok,app_processes_app},true}
%%! ends_with_it()           ==> {shutdown,undefined}
%%! top_ends(temporary)      ==> {crashed,false}
-module(app_processes).
-behaviour(application).
-export([served/0, known_by_its_processes/0, ends_with_it/0, top_ends/1, start/2, stop/1, init/1, start_server/0, handle_call/3, handle_cast/2]).
-define(APP, app_processes_app).
-define(SERVER, app_processes_server).
start(normal, args) -> supervisor:start_link(?MODULE, top).
stop(_) -> ok.
init(top) -> {ok, {#{intensity => 0}, [#{id => s, start => {?MODULE, start_server, []}}]}};
init(server) -> {ok, application:get_env(first)}.
start_server() -> gen_server:start_link({local, ?SERVER}, ?MODULE, server, []).
handle_call(get, _, S) -> {reply, S, S};
handle_call(application, _, S) -> {reply, application:get_application(), S};
handle_call(leader, _, S) -> {reply, group_leader(), S};
handle_call(crash, _, _) -> exit(crashed).
handle_cast(_, S) -> {noreply, S}.
with(F) -> with(temporary, F).
with(Type, F) ->
    ok = application:load({application, ?APP, [{vsn, "1"}, {modules, [?MODULE]}, {applications, [kernel, stdlib]},
                                               {registered, [?SERVER]}, {env, [{first, 1}]}, {mod, {?MODULE, args}}]}),
    ok = application:start(?APP, Type),
    Result = F(),
    _ = application:stop(?APP),
    ok = application:unload(?APP),
    Result.
served() -> with(fun() -> gen_server:call(?SERVER, get) end).
known_by_its_processes() -> with(fun() -> {gen_server:call(?SERVER, application), gen_server:call(?SERVER, leader) =/= group_leader()} end).
ends_with_it() ->
    with(fun() ->
        R = monitor(process, ?SERVER),
        ok = application:stop(?APP),
        {receive {'DOWN', R, _, _, Why} -> Why end, whereis(?SERVER)}
    end).
top_ends(Type) ->
    with(Type, fun() ->
        R = monitor(process, ?SERVER),
        try gen_server:call(?SERVER, crash) catch exit:{crashed, _} -> ok end,
        receive {'DOWN', R, _, _, Why} -> gone(200), {Why, lists:keyfind(?APP, 1, application:which_applications())} end
    end).
%% The master and the controller learn of it one after the other.
gone(0) -> ok;
gone(N) -> case lists:keyfind(?APP, 1, application:which_applications()) of false -> ok; _ -> timer:sleep(5), gone(N - 1) end.
