%% The directives of io_lib:format.
%%! f("~w ~p ~s ~c ~b~n", [{a, "x"}, {a, "x"}, "str", $z, 42]) ==> "{a,[120]} {a,\"x\"} str z 42\n"
%%! f("~10w|~-10w|~10s|~-10s|", [ab, cd, "ef", "gh"]) ==> "        ab|cd        |        ef|gh        |"
%%! f("~~ ~i~w", [skipped, shown])                    ==> "~ shown"
%%! f("~ts ~tp ~tw", [[8364], [8364], [8364]])        ==> [8364,32,91,56,51,54,52,93,32,91,56,51,54,52,93]
%%! f("~s", [<<"bin">>])                              ==> "bin"
-module(directives).
-export([f/2]).
f(Format, Args) -> lists:flatten(io_lib:format(Format, Args)).
