%% Composed and decomposed characters.
%%! f("é")          ==> {"é",[101,769]}
%%! f([$e, 16#301]) ==> {"é",[101,769]}
%%! f([16#212b])    ==> {"Å",[65,778]}
%%! g("ﬁ")          ==> {"fi","fi",<<239,172,129>>}
-module(normal_forms).
-export([f/1, g/1]).
f(S) -> {unicode:characters_to_nfc_list(S), unicode:characters_to_nfd_list(S)}.
g(S) -> {unicode:characters_to_nfkc_list(S), unicode:characters_to_nfkd_list(S), unicode:characters_to_nfc_binary(S)}.
