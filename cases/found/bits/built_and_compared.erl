%% What was put into a binary is found again in comparisons with constants, and in numbers across its parts.
%%! command(<<"Quit">>)    ==> error quit
%%! command(<<"quit">>)    ==> error quit
%%! command(<<"go">>)      ==> ok
%%! prefix([3, 1], <<>>)   ==> error prefix
%%! top(16#f800)           ==> error top
%%! top(0)                 ==> ok
%%! across(<<"ba">>)       ==> error across
%%? command/1: finds error:quit; failures = 1
%%? prefix/2: finds error:prefix; failures = 1
%%? top/1: finds error:top; failures = 1; exhausts
%%? across/1: finds error:across for (<<"ba">>); failures = 1
-module(built_and_compared).
-export([command/1, prefix/2, top/1, across/1]).

-spec command(binary()) -> ok.
command(Text) ->
    case << <<(lower(C))>> || <<C>> <= Text >> of
        <<"quit">> -> error(quit);
        _ -> ok
    end.

lower(C) when C >= $A, C =< $Z -> C + 32;
lower(C) -> C.

-spec prefix([byte()], binary()) -> ok.
prefix([A, B], Rest) ->
    case <<A, B, Rest/binary>> of
        <<3, 1>> -> error(prefix);
        _ -> ok
    end;
prefix(_, _) -> ok.

%% The upper bits of a number.
-spec top(0..16#ffff) -> ok.
top(X) ->
    case <<X:16>> of
        <<31:5, _:11>> -> error(top);
        _ -> ok
    end.

-spec across(<<_:16>>) -> ok.
across(<<A, B>>) ->
    case <<B, A>> of
        <<16#6162:16>> -> error(across);
        _ -> ok
    end.
