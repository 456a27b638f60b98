%% A supervisor with one named worker. Converting a text that is no number crashes the worker, which its supervisor
%% starts again.
%%? client: finds error:badarg
%% Scenario: {ok, _} = worker_under_supervisor:start_link(), ok = worker_under_supervisor:submit("1"), 1 = worker_under_supervisor:sum(), ok = worker_under_supervisor:submit("x"), timer:sleep(20), worker_under_supervisor:sum()
-module(worker_under_supervisor).
-export([start_link/0, submit/1, sum/0]).
-export([start_worker/0, init/1, handle_call/3, handle_cast/2]).

-define(SUPERVISOR, worker_under_supervisor_sup).
-define(WORKER, worker_under_supervisor_worker).

-spec start_link() -> {ok, pid()} | {error, term()}.
start_link() -> supervisor:start_link({local, ?SUPERVISOR}, ?MODULE, supervisor).

%% Adds the number that the text stands for.
-spec submit(string()) -> ok.
submit(Text) -> gen_server:cast(?WORKER, {submit, Text}).

-spec sum() -> integer().
sum() -> gen_server:call(?WORKER, sum).

start_worker() -> gen_server:start_link({local, ?WORKER}, ?MODULE, worker, []).

init(supervisor) ->
    Worker = #{id => worker, start => {?MODULE, start_worker, []}},
    {ok, {#{strategy => one_for_one, intensity => 10, period => 1}, [Worker]}};
init(worker) ->
    {ok, 0}.

handle_call(sum, _, Sum) -> {reply, Sum, Sum}.

handle_cast({submit, Text}, Sum) -> {noreply, Sum + list_to_integer(Text)}.
