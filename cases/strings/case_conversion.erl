%% Upper, lower, title and fold, beyond ASCII.
%%! f("Hello ÄÖ straße") ==> {"HELLO ÄÖ STRASSE","hello äö straße","Hello ÄÖ straße","hello äö strasse"}
%%! f(<<"ÀB"/utf8>>)     ==> {<<"ÀB"/utf8>>,<<"àb"/utf8>>,<<"ÀB"/utf8>>,<<"àb"/utf8>>}
%%! g("ΑΣ")              ==> {[945,963],true,false}
-module(case_conversion).
-export([f/1, g/1]).
f(S) -> {string:uppercase(S), string:lowercase(S), string:titlecase(S), string:casefold(S)}.
g(S) -> {string:lowercase(S), string:equal("STRASSE", "straße", true), string:equal("a", "A")}.
