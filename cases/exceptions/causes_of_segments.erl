%% What is wrong with a segment of a bitstring is told behind the place: the segment, its type, and the value.
%%! cause(fun() -> integer(x) end)             ==> {badarg,integer,#{cause => {1,integer,type,x},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> sized(1, x) end)            ==> {badarg,sized,#{cause => {1,integer,size,x},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> sized(1, -1) end)           ==> {badarg,sized,#{cause => {1,integer,size,-1},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> sized(x, -1) end)           ==> {badarg,sized,#{cause => {1,integer,size,-1},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> float(x) end)               ==> {badarg,float,#{module => erl_erts_errors}}
%%! cause(fun() -> float(1 bsl 1100) end)      ==> {badarg,float,#{module => erl_erts_errors}}
%%! cause(fun() -> sized_float(1.5, 17) end)   ==> {badarg,sized_float,#{cause => {2,float,invalid,17},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> sized_float(1.5, x) end)    ==> {badarg,sized_float,#{cause => {2,float,size,x},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> binary(x) end)              ==> {badarg,binary,#{cause => {1,binary,type,x},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> binary(<<1:3>>) end)        ==> {badarg,binary,#{cause => {1,binary,unit,<<1:3>>},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> sized_binary(<<1>>, 2) end) ==> {badarg,sized_binary,#{cause => {1,binary,short,<<1>>},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> sized_binary(<<1>>, x) end) ==> {badarg,sized_binary,#{cause => {1,binary,size,x},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> utf(x) end)                 ==> {badarg,utf,#{cause => {2,utf8,type,x},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> utf(16#D800) end)           ==> {badarg,utf,#{cause => {2,utf8,type,55296},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> behind(<<1>>, x) end)       ==> {badarg,behind,#{cause => {2,integer,type,x},function => format_bs_fail,module => erl_erts_errors}}
%%! cause(fun() -> comprehended([1, x]) end)   ==> {badarg,'-comprehended/1-lbc$^0/2-0-',#{cause => {2,integer,type,x},function => format_bs_fail,module => erl_erts_errors}}
-module(causes_of_segments).
-export([cause/1, integer/1, sized/2, float/1, sized_float/2, binary/1, sized_binary/2, utf/1, behind/2, comprehended/1]).

cause(F) ->
    try F()
    catch
        error:Reason:Stack ->
            [{_, Function, _, Place} | _] = Stack,
            {Reason, Function, proplists:get_value(error_info, Place)}
    end.

integer(X) -> <<X:8>>.

sized(X, Size) -> <<X:Size>>.

float(X) -> <<X:64/float>>.

sized_float(X, Size) -> <<0, X:Size/float>>.

binary(X) -> <<X/binary>>.

sized_binary(X, Size) -> <<X:Size/binary>>.

utf(X) -> <<"a", X/utf8>>.

behind(X, Y) -> <<X/bits, Y:8>>.

comprehended(List) -> << <<X:8>> || X <- List >>.
