%% The function of -on_load runs in a process of its own, before the first call: only what all processes share stays.
%%! kept()          ==> 2
%%! configured()    ==> {ok,fast}
%%! dictionary()    ==> undefined
%%! table()         ==> undefined
%%! mailbox()       ==> nothing
%%! name()          ==> undefined
%%! other_process() ==> false
%%! own_module()    ==> not_yet
%%! double(4)       ==> 8
-module(on_load_leaves).
-export([kept/0, configured/0, dictionary/0, table/0, mailbox/0, name/0, other_process/0, own_module/0, double/1]).
-on_load(init/0).

init() ->
    persistent_term:put(on_load_leaves_factor, 2),
    persistent_term:put(on_load_leaves_pid, self()),
    application:set_env(on_load_leaves, mode, fast),
    put(on_load_leaves_key, value),
    on_load_leaves_table = ets:new(on_load_leaves_table, [named_table, public]),
    self() ! on_load_leaves_message,
    register(on_load_leaves_name, self()),
    Own = try ?MODULE:double(1) catch error:undef -> not_yet end,
    persistent_term:put(on_load_leaves_own, Own),
    ok.

kept() -> persistent_term:get(on_load_leaves_factor).

configured() -> application:get_env(on_load_leaves, mode).

dictionary() -> get(on_load_leaves_key).

table() -> ets:info(on_load_leaves_table).

mailbox() -> receive on_load_leaves_message -> message after 0 -> nothing end.

name() -> whereis(on_load_leaves_name).

other_process() -> persistent_term:get(on_load_leaves_pid) =:= self().

own_module() -> persistent_term:get(on_load_leaves_own).

-spec double(integer()) -> integer().
double(N) ->
    case N * persistent_term:get(on_load_leaves_factor) of
        Large when Large > 100 -> error(large);
        Small -> Small
    end.
