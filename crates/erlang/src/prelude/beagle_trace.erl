%% Events of traces on the real runtime: code that was compiled for it says what it does, with values.
%%
%% Every event has a place on the stack, so that nested calls are told from tail calls: how many words of it lie below the
%% frame of the function that tells. `Frame` is how many words that frame has at the call, which is known when the code is
%% compiled. Whoever tells waits until it was passed on, so that nothing piles up. Modules of libraries may tell events as well,
%% so none of their functions is called here.
-module(beagle_trace).
-file("beagle_trace.erl", 1).

-export([event/4]).

event(Info, Values, Result, Frame) ->
    {stack_size, Size} = process_info(self(), stack_size),
    case persistent_term:get(beagle_trace, none) of
        none -> ok;
        Teller -> tell(Teller, {told, self(), Size - Frame, Info, [brief(Value) || Value <- Values], brief(Result)})
    end,
    Result.

tell(Teller, Told) ->
    <<131, Encoded/binary>> = term_to_binary(Told, [{minor_version, 2}]),
    Monitor = monitor(process, Teller),
    Teller ! {tell, Monitor, self(), Encoded},
    receive
        {Monitor, told} -> demonitor(Monitor, [flush]), ok;
        {'DOWN', Monitor, process, Teller, _} -> ok
    end.

%% A value for people: of a large one its first parts, as the machine shows it.
brief(Term) ->
    case left(Term, 200) of
        none -> first_parts(Term, 4);
        _ -> Term
    end.

%% How many parts of a limit a term leaves, if it has no more than that.
left(_, 0) -> none;
left([_ | _] = List, Left) -> left_of_list(List, Left - 1);
left(Tuple, Left) when is_tuple(Tuple) -> left_of_tuple(Tuple, 1, Left - 1);
left(Map, Left) when is_map(Map) -> left_of_map(pairs(Map), Left - 1);
left(Bits, Left) when is_bitstring(Bits) ->
    case Left - 1 - bit_size(Bits) div 64 of
        Rest when Rest >= 0 -> Rest;
        _ -> none
    end;
left(_, Left) -> Left - 1.

left_of_list([Head | Tail], Left) ->
    case left(Head, Left) of
        none -> none;
        Rest -> left_of_list(Tail, Rest)
    end;
left_of_list(Tail, Left) -> left(Tail, Left).

left_of_tuple(Tuple, Index, Left) when Index > tuple_size(Tuple) -> Left;
left_of_tuple(Tuple, Index, Left) ->
    case left(element(Index, Tuple), Left) of
        none -> none;
        Rest -> left_of_tuple(Tuple, Index + 1, Rest)
    end.

left_of_map(none, Left) -> Left;
left_of_map({Key, Value, Pairs}, Left) ->
    case left(Key, Left) of
        none -> none;
        Some ->
            case left(Value, Some) of
                none -> none;
                Rest -> left_of_map(more(Pairs), Rest)
            end
    end.

pairs(Map) -> erts_internal:map_next(0, Map, iterator).

more([Path | Map]) -> erts_internal:map_next(Path, Map, iterator);
more(Pairs) -> Pairs.

first_parts(_, 0) -> '...';
first_parts([_ | _] = List, Depth) -> first_items(List, 8, Depth);
first_parts(Tuple, Depth) when is_tuple(Tuple) ->
    list_to_tuple(first_elements(Tuple, 1, Depth));
first_parts(Map, Depth) when is_map(Map) -> first_pairs(pairs(Map), 8, Depth, #{});
first_parts(<<First:32/binary, _/bitstring>>, _) -> First;
first_parts(Term, _) -> Term.

part(Term, Depth) ->
    case left(Term, 8) of
        none -> first_parts(Term, Depth - 1);
        _ -> Term
    end.

first_items([], _, _) -> [];
first_items([Head | Tail], Count, Depth) when Count > 0 -> [part(Head, Depth) | first_items(Tail, Count - 1, Depth)];
first_items(_, _, _) -> ['...'].

first_elements(Tuple, Index, _) when Index > tuple_size(Tuple) -> [];
first_elements(_, 9, _) -> ['...'];
first_elements(Tuple, Index, Depth) -> [part(element(Index, Tuple), Depth) | first_elements(Tuple, Index + 1, Depth)].

first_pairs(none, _, _, Map) -> Map;
first_pairs(_, 0, _, Map) -> Map#{'...' => '...'};
first_pairs({Key, Value, Pairs}, Count, Depth, Map) ->
    first_pairs(more(Pairs), Count - 1, Depth, Map#{part(Key, Depth) => part(Value, Depth)}).
