%% A supervisor of workers that come and go. A worker that ends is forgotten, and a client that asks one that
%% has ended is told so.
%%? client: clean
-module(clean_workers).
-export([start_link/0, start_worker/1, count/1, add/2, finish/1]).
-export([worker_start_link/0, init/1, handle_call/3, handle_cast/2]).

-type supervisor() :: pid().
-type worker() :: {worker, pid()}.

-spec start_link() -> {ok, supervisor()}.
start_link() -> supervisor:start_link(?MODULE, supervisor).

-spec start_worker(supervisor()) -> worker().
start_worker(Supervisor) ->
    {ok, Worker} = supervisor:start_child(Supervisor, []),
    {worker, Worker}.

-spec count(supervisor()) -> non_neg_integer().
count(Supervisor) -> proplists:get_value(active, supervisor:count_children(Supervisor)).

-spec add(worker(), integer()) -> {ok, integer()} | {error, finished}.
add({worker, Worker}, N) ->
    try {ok, gen_server:call(Worker, {add, N})}
    catch exit:{Reason, _} when Reason =:= noproc; Reason =:= normal -> {error, finished}
    end.

-spec finish(worker()) -> ok.
finish({worker, Worker}) -> gen_server:cast(Worker, finish).

worker_start_link() -> gen_server:start_link(?MODULE, worker, []).

init(supervisor) ->
    Worker = #{id => worker, start => {?MODULE, worker_start_link, []}, restart => temporary},
    {ok, {#{strategy => simple_one_for_one}, [Worker]}};
init(worker) ->
    {ok, 0}.

handle_call({add, N}, _, Sum) -> {reply, Sum + N, Sum + N}.

handle_cast(finish, Sum) -> {stop, normal, Sum}.
