%% unicode:characters_to_list over nested data, complete and broken.
%%! f(<<"aé"/utf8>>)                            ==> "aé"
%%! f(["a", <<"é"/utf8>>, [16#20ac | <<"z">>]]) ==> [97,233,8364,122]
%%! f(<<"ab", 255, "c">>)                       ==> {error,"ab",<<"ÿc">>}
%%! f(<<"ab", 16#c3>>)                          ==> {incomplete,"ab",<<"Ã">>}
%%! f(["ok", 16#d800, "rest"])                  ==> {error,"ok",[55296,"rest"]}
%%! f(a)                                        ==> error badarg
%%! g(<<233, "x">>)                             ==> {"éx","a"}
-module(to_list).
-export([f/1, g/1]).
f(D) -> unicode:characters_to_list(D).
g(D) -> {unicode:characters_to_list(D, latin1), unicode:characters_to_list(<<"a", 0>>, {utf16, little})}.
