%% The configuration of applications can be set and asked for without any application running.
%%! unset_keys()  ==> {undefined,default}
%%! set_and_get() ==> {{ok,{a,"value"}},2,undefined}
%%! unset()       ==> undefined
%%! all()         ==> [{one,1},{two,2}]
%%! several()     ==> {{ok,2},[]}
%%! unknown()     ==> {undefined,undefined,undefined}
-module(application_environment).
-export([unset_keys/0, set_and_get/0, unset/0, all/0, several/0, unknown/0]).

unset_keys() ->
    {application:get_env(no_such_application, key), application:get_env(no_such_application, key, default)}.

set_and_get() ->
    ok = application:set_env(an_application, key, {a, "value"}),
    ok = application:set_env(an_application, other, 2, [{persistent, true}]),
    {application:get_env(an_application, key), application:get_env(an_application, other, 3),
     application:get_env(another_application, key)}.

unset() ->
    ok = application:set_env(an_application, key, 1),
    ok = application:unset_env(an_application, key),
    application:get_env(an_application, key).

all() ->
    ok = application:set_env(a_third_application, one, 1),
    ok = application:set_env(a_third_application, two, 2),
    lists:sort(application:get_all_env(a_third_application)).

several() ->
    ok = application:set_env([{a_fourth_application, [{one, 1}, {two, 2}]}, {a_fifth_application, []}]),
    {application:get_env(a_fourth_application, two), application:get_all_env(a_fifth_application)}.

unknown() ->
    {application:get_key(no_such_application, vsn), application:get_all_key(no_such_application),
     application:get_application(no_such_module)}.
