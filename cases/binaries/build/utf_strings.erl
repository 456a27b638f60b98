%% String literals may be encoded as a whole.
%%! f() ==> {<<"añ">>,<<"añ"/utf8>>,<<0,97,0,241>>,<<97,0,241,0>>}
%%! g() ==> {<<230,151,165,230,156,172>>,9,<<0,97,0,98>>,<<97,0,98,0>>,<<18>>}
-module(utf_strings).
-export([f/0, g/0]).
f() -> {<<"añ">>, <<"añ"/utf8>>, <<"añ"/utf16>>, <<"añ"/utf16-little>>}.
g() -> {<<"日本"/utf8>>, byte_size(<<"日本語"/utf8>>), <<"ab":16>>, <<"ab":16/little>>, <<"ab":4>>}.
