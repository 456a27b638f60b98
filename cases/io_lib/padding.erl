%% Field width, precision and pad characters; too wide gives stars.
%%! f("~5s|~-5s|~.2s|~5.2s|", ["abc", "abc", "abc", "abc"]) ==> "  abc|abc  |ab|   ab|"
%%! f("~3w|~3b|", [abcdef, 123456])                         ==> "***|***|"
%%! f("~*s|~*.*s|", [6, "ab", 7, 1, "xyz"])                 ==> "    ab|      x|"
%%! f("~10.4.*s|~5c|~3.2c", [$-, "abcdefgh", $x, $y])       ==> "------abcd|xxxxx| yy"
%%! f("~6.3.0w|", [12])                                     ==> "000012|"
-module(padding).
-export([f/2]).
f(Format, Args) -> lists:flatten(io_lib:format(Format, Args)).
