%% A tokenizer has no token for most characters, and believes that a hexadecimal prefix has digits.
%%! tokens("a1 + 0x1f") ==> [{name,"a1"},plus,{integer,31}]
%%! tokens("12,")       ==> error {unexpected,44}
%%! tokens("0x")        ==> error {badmatch,{[],[]}}
%%? tokens/1 with max 600: finds error:{unexpected,_} for ([_|_]); finds error:{badmatch,_} for ([$0,$x|_])
-module(tokenizer).
-export([tokens/1]).

-spec tokens(string()) -> [{name, string()} | {integer, integer()} | plus].
tokens([]) -> [];
tokens([$\s | Cs]) -> tokens(Cs);
tokens([$+ | Cs]) -> [plus | tokens(Cs)];
tokens([$0, $x | Cs]) ->
    {[_ | _] = Digits, Rest} = lists:splitwith(fun is_hex/1, Cs),
    [{integer, number(Digits, 16, 0)} | tokens(Rest)];
tokens([C | _] = Cs) when C >= $0, C =< $9 ->
    {Digits, Rest} = lists:splitwith(fun(D) -> D >= $0 andalso D =< $9 end, Cs),
    [{integer, number(Digits, 10, 0)} | tokens(Rest)];
tokens([C | _] = Cs) when C >= $a, C =< $z ->
    {Name, Rest} = lists:splitwith(fun(D) -> D >= $a andalso D =< $z orelse D >= $0 andalso D =< $9 end, Cs),
    [{name, Name} | tokens(Rest)];
tokens([C | _]) ->
    error({unexpected, C}).

is_hex(C) -> C >= $0 andalso C =< $9 orelse C >= $a andalso C =< $f.

number([], _, Value) -> Value;
number([D | Ds], Base, Value) when D =< $9 -> number(Ds, Base, Value * Base + D - $0);
number([D | Ds], Base, Value) -> number(Ds, Base, Value * Base + D - $a + 10).
