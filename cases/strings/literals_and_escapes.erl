%% Escapes in strings and characters.
%%! f() ==> ["a\tb\n","\"quoted\"","back\\slash","ABA",[27,32,127,0],"two parts"]
%%! g() ==> [9,92,34,39,8364,[8364],"é"]
-module(literals_and_escapes).
-export([f/0, g/0]).
f() -> ["a\tb\n", "\"quoted\"", "back\\slash", "\x41\x{42}\101", "\e\s\d\0", "two "
        "parts"].
g() -> [$\t, $\\, $", $', $\x{20ac}, "€", "é"].
