%% erl_parse makes abstract forms.
%%! f("1 + 2 * 3.")                                        ==> {ok,[{op,1,'+',{integer,1,1},{op,1,'*',{integer,1,2},{integer,1,3}}}]}
%%! f("case X of {ok, V} when V > 0 -> V; _ -> none end.") ==> {ok,[{'case',1,{var,1,'X'},[{clause,1,[{tuple,1,[{atom,1,ok},{var,1,'V'}]}],[[{op,1,'>',{var,1,'V'},{integer,1,0}}]],[{var,1,'V'}]},{clause,1,[{var,1,'_'}],[],[{atom,1,none}]}]}]}
%%! f("[X || X <- L, X > 1].")                             ==> {ok,[{lc,1,{var,1,'X'},[{generate,1,{var,1,'X'},{var,1,'L'}},{op,1,'>',{var,1,'X'},{integer,1,1}}]}]}
%%! f("1 + .")                                             ==> {error,{1,erl_parse,["syntax error before: ","'.'"]}}
%%! g("f(X) -> #{a => X}.")                                ==> {ok,{function,1,f,1,[{clause,1,[{var,1,'X'}],[],[{map,1,[{map_field_assoc,1,{atom,1,a},{var,1,'X'}}]}]}]}}
-module(parser).
-export([f/1, g/1]).
f(S) -> {ok, Ts, _} = erl_scan:string(S), erl_parse:parse_exprs(Ts).
g(S) -> {ok, Ts, _} = erl_scan:string(S), erl_parse:parse_form(Ts).
