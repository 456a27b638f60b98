%% Terms read from text by scanner and parser.
%%! f("{a, [1, 2.5, \"s\"], #{k => <<1, 2>>}, -3}.") ==> {a,[1,2.5,"s"],#{k => <<1,2>>},-3}
%%! f("fun lists:map/2.")                            ==> fun lists:map/2
%%! f("foo(1).")                                     ==> {not_a_term,erl_parse}
-module(terms_from_text).
-export([f/1]).
f(S) -> {ok, Ts, _} = erl_scan:string(S),
    case erl_parse:parse_term(Ts) of {ok, T} -> T; {error, {_, M, _}} -> {not_a_term, M} end.
