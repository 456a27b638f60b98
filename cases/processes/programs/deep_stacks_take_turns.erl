%% Processes with deep stacks take turns in the middle of their calls; what lies on the stacks stays what it was.
%%! sums(3, 4000)  ==> [{8002000,{1,4000,[4000|<<0,0,15,160>>]}},{8002000,{2,4000,[4000|<<0,0,15,160>>]}},{8002000,{3,4000,[4000|<<0,0,15,160>>]}}]
%%! texts(4, 1500) ==> [9000,9000,9000,9000]
%%! asleep(5, 300) ==> [{90301.0,10,true},{90302.0,10,true},{90303.0,10,true},{90304.0,10,true},{90305.0,10,true}]
%%! handed(6, 400) ==> [{1,400,128788595},{2,400,128788595},{3,400,128788595},{4,400,128788595},{5,400,128788595},{6,400,128788595}]
-module(deep_stacks_take_turns).
-export([sums/2, texts/2, asleep/2, handed/2, woken/3]).

sums(Count, Depth) -> gathered([spawned(fun() -> deep(I, Depth) end) || I <- lists:seq(1, Count)]).

spawned(Work) ->
    Me = self(),
    spawn(fun() -> Me ! {self(), Work()} end).

gathered(Pids) -> [receive {P, Value} -> Value end || P <- Pids].

deep(_, 0) -> {0, []};
deep(I, N) ->
    Kept = {I, N, [N | <<N:32>>]},
    {Sum, _} = deep(I, N - 1),
    {I, N, [N | <<N:32>>]} = Kept,
    {Sum + element(2, Kept), Kept}.

texts(Count, Depth) -> gathered([spawned(fun() -> text(I, Depth, <<>>) end) || I <- lists:seq(1, Count)]).

text(_, 0, Text) -> byte_size(Text);
text(I, N, Text) ->
    Longer = <<Text/binary, I, N:16>>,
    Map = #{N => Longer, text => Text},
    erlang:yield(),
    Size = text(I, N - 1, Longer),
    #{N := Same} = Map,
    true = Same =:= Longer,
    Size + (byte_size(Longer) - byte_size(maps:get(text, Map))).

%% Each waits at the bottom of a deep stack until it is told to go on.
asleep(Count, Depth) ->
    Pids = [spawned(fun() -> waits(I, Depth) end) || I <- lists:seq(1, Count)],
    [P ! {go, lists:duplicate(10, P)} || P <- lists:reverse(Pids)],
    [{Sum, Length, lists:all(fun(Q) -> Q =:= P end, Last)} || {P, {Sum, Length, Last}} <- lists:zip(Pids, gathered(Pids))].

waits(I, 0) -> receive {go, List} -> {I, length(List), List} after 60000 -> timeout end;
waits(I, N) ->
    Kept = [I, N, float(N)],
    {Sum, Length, List} = waits(I, N - 1),
    {Sum + lists:sum(tl(Kept)), Length, List}.

%% Stacks that are forgotten, and what they held is sent on.
handed(Count, Depth) ->
    Pids = [spawn(fun() -> sleeps(self(), Depth, []) end) || _ <- lists:seq(1, Count)],
    Me = self(),
    [P ! {Me, N} || {P, N} <- lists:zip(Pids, lists:seq(1, Count))],
    gathered(Pids).

sleeps(Self, 0, Acc) -> erlang:hibernate(?MODULE, woken, [Self, Acc, {#{acc => Acc}}]);
sleeps(Self, N, Acc) -> [] = sleeps(Self, N - 1, [{N, <<N:64>>} | Acc]).

woken(Self, Acc, {#{acc := Acc}}) ->
    receive {From, N} -> From ! {Self, {N, length(Acc), erlang:phash2([K || {K, _} <- Acc])}} end.
