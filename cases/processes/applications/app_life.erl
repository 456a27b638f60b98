%% An application is loaded from its description, started with those it needs, and stopped.
%%! life()            ==> {false,{error,{already_started,app_life_a}},{app_life_a,"a case","1.2"},{false,{error,{not_started,app_life_a}},yes},{error,{not_loaded,app_life_a}}}
%%! environment()     ==> {{{ok,1},undefined,default},[{key,2},{other,[x]}],{{ok,"1.2"},undefined,{ok,app_life_a}},undefined}
%%! needs()           ==> {error,{not_started,app_life_a}}
%%! ensured()         ==> {{ok,[app_life_a,app_life_b]},{{ok,[]},ok}}
%%! unknown()         ==> {error,{not_started,no_such_application_here}}
%%! fails(bad_return) ==> {error,bad_return,{{app_life,start,[normal,bad_return]},nonsense}}
%%! fails(error)      ==> {error,cannot,{app_life,start,[normal,error]}}
%%! fails(crash)      ==> {bad_return,{app_life,start,[normal,crash]},bug}
-module(app_life).
-behaviour(application).
-export([life/0, environment/0, needs/0, ensured/0, unknown/0, fails/1, start/2, stop/1, init/1]).
start(_, How) when How =:= ok; How =:= base -> supervisor:start_link(?MODULE, []);
start(_, bad_return) -> nonsense;
start(_, error) -> {error, cannot};
start(_, crash) -> error(bug).
stop(_) -> persistent_term:put(app_life_stopped, yes).
init([]) -> {ok, {#{}, []}}.
load(App, Needs, How, Env) ->
    ok = application:load({application, App, [{description, "a case"}, {vsn, "1.2"}, {modules, [?MODULE]}, {registered, []},
                                              {applications, [kernel, stdlib | Needs]}, {env, Env}, {mod, {?MODULE, How}}]}).
unload(Apps) -> [ok = application:unload(App) || App <- Apps].
running(App) -> lists:keyfind(App, 1, application:which_applications()).
life() ->
    load(app_life_a, [], ok, []),
    Before = running(app_life_a),
    ok = application:start(app_life_a),
    Again = application:start(app_life_a),
    During = running(app_life_a),
    persistent_term:put(app_life_stopped, no),
    ok = application:stop(app_life_a),
    After = {running(app_life_a), application:stop(app_life_a), persistent_term:get(app_life_stopped)},
    persistent_term:erase(app_life_stopped),
    unload([app_life_a]),
    {Before, Again, During, After, application:unload(app_life_a)}.
environment() ->
    load(app_life_a, [], ok, [{key, 1}, {other, [x]}]),
    First = {application:get_env(app_life_a, key), application:get_env(app_life_a, none), application:get_env(app_life_a, none, default)},
    ok = application:set_env(app_life_a, key, 2),
    All = lists:sort(application:get_all_env(app_life_a)),
    Keys = {application:get_key(app_life_a, vsn), application:get_key(app_life_a, no_such_key), application:get_application(?MODULE)},
    unload([app_life_a]),
    {First, All, Keys, application:get_env(app_life_a, key)}.
needs() ->
    load(app_life_a, [], base, []),
    load(app_life_b, [app_life_a], ok, []),
    First = application:start(app_life_b),
    ok = application:start(app_life_a),
    ok = application:start(app_life_b),
    [ok = application:stop(App) || App <- [app_life_b, app_life_a]],
    unload([app_life_a, app_life_b]),
    First.
ensured() ->
    load(app_life_a, [], base, []),
    load(app_life_b, [app_life_a], ok, []),
    First = application:ensure_all_started(app_life_b),
    Again = {application:ensure_all_started(app_life_b), application:ensure_started(app_life_b)},
    [ok = application:stop(App) || App <- [app_life_b, app_life_a]],
    unload([app_life_a, app_life_b]),
    {First, Again}.
unknown() -> application:stop(no_such_application_here).
fails(How) ->
    load(app_life_a, [], How, []),
    Result = case application:start(app_life_a) of
        {error, {bad_return, {Call, {'EXIT', {Why, _}}}}} -> {bad_return, Call, Why};
        {error, {Why, Call}} -> {error, Why, Call}
    end,
    unload([app_life_a]),
    Result.
