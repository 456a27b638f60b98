%% Stresses the string and unicode libraries: splitting, case conversion, trimming, searching, decoding.
-module(text).
-export([main/1, size/0]).

size() -> 15000.

main(N) ->
    Text = unicode:characters_to_binary(lists:join($\n, [line(I) || I <- lists:seq(1, N)])),
    Lines = string:split(Text, "\n", all),
    Fields = [fields(L) || L <- Lines],
    {length(Lines), lists:sum([length(F) || F <- Fields]), checksum(Fields) rem 1000007}.

line(I) -> ["  Name ", integer_to_list(I), "; Größe=", integer_to_list(I * 31), " ;Ärger über ", [16#20ac],
    "; The Quick BROWN Fox  "].

fields(Line) -> [field(unicode:characters_to_list(F)) || F <- string:split(Line, ";", all)].

field(Field) ->
    Lower = string:lowercase(string:trim(Field)),
    case string:find(Lower, "=") of
        nomatch -> string:lexemes(Lower, " ");
        Found -> [string:slice(Found, 1), string:uppercase(Lower)]
    end.

checksum(Fields) -> lists:sum([erlang:phash2(Word, 1000) || Words <- Fields, Word <- lists:append(Words)]).
