%% What is put into a map is found there, and what an update needs must be there before.
%%! put_and_get(7, x) ==> error seven
%%! update(#{a => 1}) ==> #{a => 2}
%%! update(#{b => 1}) ==> error {badkey,a}
%%? put_and_get/2: finds error:seven for (7, _); failures = 1; exhausts
%%? update/1: finds error:{badkey,a} for (M) when not is_map_key(a, M); finds error:{badmap,_}; failures = 2
-module(map_expressions).
-export([put_and_get/2, update/1]).

-spec put_and_get(integer(), term()) -> term().
put_and_get(N, X) ->
    M = #{n => N, x => X},
    #{n := Next} = M#{n := N + 1},
    case Next of
        8 -> error(seven);
        _ -> maps:get(x, M)
    end.

update(M) -> M#{a := 2}.
