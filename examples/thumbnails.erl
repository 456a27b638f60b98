%% Makes thumbnails of pictures: a pool has a supervisor start a worker for each picture.
-module(thumbnails).
-behaviour(gen_server).
-export([make/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, start_worker/3, work/3]).

-type picture() :: {Width :: non_neg_integer(), Height :: non_neg_integer()}.

-record(pool, {
    width :: pos_integer(),
    supervisor :: pid(),
    busy = #{} :: #{reference() => gen_server:from()}
}).

%% The sizes of the thumbnails. None of them is wider than Width.
-spec make([picture()], Width :: pos_integer()) -> [picture()].
make(Pictures, Width) ->
    {ok, Pool} = gen_server:start_link(?MODULE, {pool, Width}, []),
    Thumbnails = [gen_server:call(Pool, {make, Picture}, infinity) || Picture <- Pictures],
    ok = gen_server:stop(Pool),
    Thumbnails.

init({pool, Width}) ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, workers),
    {ok, #pool{width = Width, supervisor = Supervisor}};
init(workers) ->
    Worker = #{id => worker, start => {?MODULE, start_worker, []}, restart => temporary},
    {ok, {#{strategy => simple_one_for_one}, [Worker]}}.

handle_call({make, Picture}, From, #pool{width = Width, busy = Busy} = Pool) ->
    {ok, Worker} = supervisor:start_child(Pool#pool.supervisor, [Picture, Width, From]),
    {noreply, Pool#pool{busy = Busy#{monitor(process, Worker) => From}}}.

handle_cast(_, Pool) ->
    {noreply, Pool}.

%% A worker has ended.
handle_info({'DOWN', Monitor, process, _, _}, #pool{busy = Busy} = Pool) ->
    {noreply, Pool#pool{busy = maps:remove(Monitor, Busy)}}.

start_worker(Picture, Width, From) ->
    {ok, proc_lib:spawn_link(?MODULE, work, [Picture, Width, From])}.

work(Picture, Width, From) ->
    gen_server:reply(From, scale(Picture, Width)).

scale({Width, _} = Picture, Most) when Width > 0, Width =< Most -> Picture;
scale({Width, Height}, Most) -> {Most, Height * Most div Width}.
