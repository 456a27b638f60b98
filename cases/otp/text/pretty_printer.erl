%% erl_pp prints forms as source text.
%%! f("f(X)when X>1->case X of 2->{ok,[X|Y]};_->#{a=>1}end.") ==> "f(X) when X > 1 ->\n    case X of\n        2 ->\n            {ok, [X | Y]};\n        _ ->\n            #{a => 1}\n    end.\n"
-module(pretty_printer).
-export([f/1]).
f(S) -> {ok, Ts, _} = erl_scan:string(S), {ok, F} = erl_parse:parse_form(Ts), lists:flatten(erl_pp:form(F)).
