#!/usr/bin/env escript
%% Compiles the Core in `<module>.back`, and calls every exported function of it and of the original
%% with arguments from a small pool. Prints where the two differ, and how many calls agreed.
-mode(compile).
main([Dir | Modules]) ->
    Agreed = [compare(list_to_atom(Name), Dir) || Name <- Modules],
    io:format("agreed ~w~n", [lists:sum(Agreed)]).

compare(Module, Dir) ->
    {ok, Bytes} = file:read_file(filename:join(Dir, atom_to_list(Module) ++ ".back")),
    Core = binary_to_term(Bytes),
    Copy = list_to_atom("back_" ++ atom_to_list(Module)),
    case compile:noenv_forms(Core, [from_core, binary, return_errors, clint]) of
        {ok, Copy, Beam} ->
            {module, Copy} = code:load_binary(Copy, "back", Beam),
            %% What is native has only a stub in Core.
            Functions = [FA || {F, A} = FA <- Module:module_info(exports), F =/= module_info, A =< 3,
                not erlang:is_builtin(Module, F, A)],
            lists:sum([function(Module, Copy, FA) || FA <- Functions]);
        Failed ->
            io:format("~p does not compile: ~P~n", [Module, Failed, 60]),
            0
    end.

function(Module, Copy, {F, A}) ->
    Calls = arguments(A),
    Self = self(),
    {Pid, Monitor} = spawn_opt(fun() ->
        Differ = [Args || Args <- Calls, outcome(Module, F, Args, Module) =/= outcome(Copy, F, Args, Module)],
        Self ! {self(), Differ}
    end, [monitor, {max_heap_size, #{size => 20000000, kill => true, error_logger => false}}]),
    receive
        {Pid, []} -> length(Calls);
        {Pid, [Args | _] = All} ->
            io:format("~p:~p/~p differs on ~p of ~p calls, first ~0p: ~0P and ~0P~n",
                [Module, F, A, length(All), length(Calls), Args,
                 outcome(Module, F, Args, Module), 12, outcome(Copy, F, Args, Module), 12]),
            0;
        {'DOWN', Monitor, process, Pid, _} -> 0
    after 500 ->
        exit(Pid, kill),
        0
    end.

%% Functions show their module, and are not equal.
outcome(M, F, Args, Module) ->
    Back = "back_" ++ atom_to_list(Module),
    Clean = fun(T) ->
        Text = lists:flatten(io_lib:format("~0tp", [T])),
        re:replace(string:replace(Text, Back, atom_to_list(Module), all), "#Fun<[^>]*>", "fun", [global, unicode])
    end,
    try apply(M, F, Args) of
        Value -> {value, simple(Value, Clean)}
    catch
        Class:Reason -> {Class, simple(Reason, Clean)}
    end.

simple(T, Clean) ->
    case is_plain(T) of
        true -> T;
        false -> Clean(T)
    end.

is_plain([H | T]) -> is_plain(H) andalso is_plain(T);
is_plain(T) when is_tuple(T) -> is_plain(tuple_to_list(T));
is_plain(T) when is_map(T) -> is_plain(maps:to_list(T));
is_plain(T) -> not (is_function(T) orelse is_atom(T) andalso lists:prefix("back_", atom_to_list(T))).

arguments(0) -> [[]];
arguments(1) -> [[X] || X <- pool(1)];
arguments(2) -> [[X, Y] || X <- pool(2), Y <- pool(2)];
arguments(3) -> [[X, Y, Z] || X <- pool(3), Y <- pool(3), Z <- pool(3)].

pool(1) ->
    pool(2) ++ [{{2024, 2, 29}, {1, 2, 3}}, [[1, 2], "ab", <<"c">>], [{a, 1}, {b, 2}, c], "x=1&y=%20", <<"aGVsbG8=">>,
        "-module(a).", [3, 1, 2, 3, 1], #{a => 1, b => [2]}, fun lists:sort/1, -1.5, 1 bsl 70, [{1, 2, 3}, {0, 5, 6}],
        gb_trees:from_orddict([{1, a}, {2, b}]), dict:from_list([{k, v}]), queue:from_list([1, 2, 3]),
        array:from_list([a, b, c]), sets:from_list([1, 2]), gb_sets:from_list([1, 2, 3]), {2024, 13, 1}];
pool(2) ->
    pool(3) ++ [-3, "abc", {a, 1}, all, 2, <<"wörld"/utf8>>, <<5:3>>, #{a => 1}, #{k => v, 1 => 2}, {1, 2}, [{a, 1}], [b, a],
        fun(X) -> X > 1 end, fun(X, Y) -> X =< Y end, "a,b", [<<"x">>, "y"], gb_trees:empty(), dict:new(), 1.0, leading];
pool(3) ->
    [0, 1, a, [], [3, 1, 2], <<"abc">>, #{}, fun(X) -> {X} end, fun(X, Y) -> {X, Y} end, [{1, x}, {2, y}]].
