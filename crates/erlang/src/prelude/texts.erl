
%% Integers as text.

integer_to_digits(Number, 10) -> integer_to_list(Number);
integer_to_digits(Number, Base) when is_integer(Base), Base >= 2, Base =< 36 ->
    case Number < 0 of
        true -> [$- | digits(-Number, Base, [])];
        false -> digits(Number, Base, [])
    end;
integer_to_digits(_, _) -> error(badarg).

digits(Number, Base, Digits) when Number < Base -> [character(Number) | Digits];
digits(Number, Base, Digits) -> digits(Number div Base, Base, [character(Number rem Base) | Digits]).

character(Digit) when Digit < 10 -> $0 + Digit;
character(Digit) -> $A - 10 + Digit.

integer_to_digit_bytes(Number, 10) -> integer_to_binary(Number);
integer_to_digit_bytes(Number, Base) -> list_to_bytes(integer_to_digits(Number, Base)).

digits_to_integer(Text, 10) ->
    list_to_integer(Text);
digits_to_integer(Text, Base) when is_integer(Base), Base >= 2, Base =< 36 ->
    case read_signed(Text, Base) of
        {Number, []} -> Number;
        _ -> error(badarg)
    end;
digits_to_integer(_, _) ->
    error(badarg).

digit_bytes_to_integer(Text, 10) -> binary_to_integer(Text);
digit_bytes_to_integer(Text, Base) -> digits_to_integer(binary_to_list(Text), Base).

read_integer(Text) when is_list(Text) ->
    case read_signed(Text, 10) of
        none -> {error, no_integer};
        Read -> Read
    end;
read_integer(_) ->
    {error, not_a_list}.

read_signed([$- | Text], Base) ->
    case read_first(Text, Base) of
        {Number, Rest} -> {-Number, Rest};
        none -> none
    end;
read_signed([$+ | Text], Base) ->
    read_first(Text, Base);
read_signed(Text, Base) ->
    read_first(Text, Base).

read_first([Character | Text], Base) ->
    case digit(Character, Base) of
        none -> none;
        Digit -> read_digits(Text, Base, Digit)
    end;
read_first(_, _) ->
    none.

read_digits([Character | Rest] = Text, Base, Number) ->
    case digit(Character, Base) of
        none -> {Number, Text};
        Digit -> read_digits(Rest, Base, Number * Base + Digit)
    end;
read_digits(Rest, _, Number) ->
    {Number, Rest}.

%% Characters are known by their low eight bits, as on the BEAM.
digit(Character, Base) when is_integer(Character), Character >= 0, Character =< 255 ->
    digit_of_byte(Character, Base);
digit(Character, Base) when is_integer(Character), -(1 bsl 59) =< Character, Character < 1 bsl 59 ->
    digit_of_byte(Character band 255, Base);
digit(_, _) ->
    none.

digit_of_byte(Byte, Base) when $0 =< Byte, Byte =< $9, Byte - $0 < Base -> Byte - $0;
digit_of_byte(Byte, Base) when $A =< Byte, Byte =< $Z, Byte - $A + 10 < Base -> Byte - $A + 10;
digit_of_byte(Byte, Base) when $a =< Byte, Byte =< $z, Byte - $a + 10 < Base -> Byte - $a + 10;
digit_of_byte(_, _) -> none.

%% The longest start of a text that is a float.
read_float(Text) when is_list(Text) ->
    case float_start(Text) of
        none ->
            {error, no_float};
        {Start, Rest} ->
            try
                {list_to_float(Start), Rest}
            catch
                error:badarg -> {error, no_float}
            end
    end;
read_float(_) ->
    {error, not_a_list}.

float_start([Sign | Text]) when Sign =:= $-; Sign =:= $+ ->
    case float_start_unsigned(Text) of
        none -> none;
        {Start, Rest} -> {[Sign | Start], Rest}
    end;
float_start(Text) ->
    float_start_unsigned(Text).

float_start_unsigned(Text) ->
    case decimals(Text) of
        {[_ | _] = Whole, [Point | Text1]} when Point =:= $.; Point =:= $, ->
            case decimals(Text1) of
                {[_ | _] = Fraction, Rest} ->
                    {Exponent, End} = exponent(Rest),
                    {Whole ++ [$. | Fraction ++ Exponent], End};
                _ ->
                    none
            end;
        _ ->
            none
    end.

exponent([E | Text] = Rest) when E =:= $e; E =:= $E ->
    {Sign, Text1} =
        case Text of
            [S | Behind] when S =:= $-; S =:= $+ -> {[S], Behind};
            _ -> {[], Text}
        end,
    case decimals(Text1) of
        {[_ | _] = Digits, End} -> {[$e | Sign ++ Digits], End};
        _ -> {[], Rest}
    end;
exponent(Rest) ->
    {[], Rest}.

decimals([Digit | Text]) when $0 =< Digit, Digit =< $9 ->
    {Digits, Rest} = decimals(Text),
    {[Digit | Digits], Rest};
decimals(Rest) ->
    {[], Rest}.

%% Atoms and characters.

atom_to_bytes(Atom, Encoding) when Encoding =:= utf8; Encoding =:= unicode -> beagle_native:atom_to_utf8(Atom);
atom_to_bytes(Atom, latin1) -> list_to_bytes(atom_to_list(Atom));
atom_to_bytes(_, _) -> error(badarg).

bytes_to_atom(Binary, Encoding) when Encoding =:= utf8; Encoding =:= unicode -> beagle_native:utf8_to_atom(Binary);
bytes_to_atom(Binary, latin1) -> list_to_atom(binary_to_list(Binary));
bytes_to_atom(_, _) -> error(badarg).

%% Which atoms there are, nobody can say in a formula. That there is none of this text is tried at least.
-define(NO_ATOM, "an_atom_that_nobody_made").

list_to_known_atom(?NO_ATOM) -> error(badarg);
list_to_known_atom(Text) -> known_atom(beagle_native:is_known_atom(Text), fun() -> list_to_atom(Text) end).

bytes_to_known_atom(<<?NO_ATOM>>, _) ->
    error(badarg);
bytes_to_known_atom(Binary, Encoding) ->
    known_atom(beagle_native:is_known_atom(Binary, Encoding), fun() -> binary_to_atom(Binary, Encoding) end).

known_atom(true, Make) -> Make();
known_atom(false, _) -> error(badarg).

is_seven_bit(Binary) when is_binary(Binary) -> seven_bit(Binary);
is_seven_bit(_) -> false.

seven_bit(<<Byte, Bytes/binary>>) when Byte < 128 -> seven_bit(Bytes);
seven_bit(<<>>) -> true;
seven_bit(_) -> false.

%% Text with a mistake, with a character in several pieces or in a wide encoding is the native's.
characters_to_codes(Data, Encoding) ->
    case codes(Data, encoding(Encoding), []) of
        other -> beagle_native:characters_to_list(Data, Encoding);
        Codes -> lists:reverse(Codes)
    end.

characters_to_bytes(Data, Encoding) ->
    Known = encoding(Encoding),
    case codes(Data, Known, []) of
        other -> beagle_native:characters_to_binary(Data, Encoding);
        _ when Known =:= utf8, is_binary(Data) -> Data;
        Codes -> encoded(lists:reverse(Codes), <<>>)
    end.

encoding(latin1) -> latin1;
encoding(utf8) -> utf8;
encoding(unicode) -> utf8;
encoding(_) -> other.

%% In reverse.
codes(_, other, _) -> other;
codes([Item | Items], Encoding, Codes) ->
    case codes_of_item(Item, Encoding, Codes) of
        other -> other;
        More -> codes(Items, Encoding, More)
    end;
codes([], _, Codes) -> Codes;
codes(Binary, Encoding, Codes) when is_binary(Binary) -> codes_of_bytes(Binary, Encoding, Codes);
codes(_, _, _) -> other.

codes_of_item(Code, Encoding, Codes) when is_integer(Code) ->
    case is_code(Code, Encoding) of
        true -> [Code | Codes];
        false -> other
    end;
codes_of_item(Data, Encoding, Codes) ->
    codes(Data, Encoding, Codes).

is_code(Code, latin1) -> Code >= 0 andalso Code =< 16#FF;
is_code(Code, utf8) -> Code >= 0 andalso Code < 16#D800 orelse Code > 16#DFFF andalso Code =< 16#10FFFF.

codes_of_bytes(<<>>, _, Codes) ->
    Codes;
codes_of_bytes(<<Byte, Bytes/binary>>, Encoding, Codes) when Byte < 16#80; Encoding =:= latin1 ->
    codes_of_bytes(Bytes, Encoding, [Byte | Codes]);
codes_of_bytes(<<A, B, Bytes/binary>>, utf8, Codes)
  when 16#C2 =< A, A < 16#E0, 16#80 =< B, B < 16#C0 ->
    codes_of_bytes(Bytes, utf8, [(A - 16#C0) * 64 + (B - 16#80) | Codes]);
codes_of_bytes(<<A, B, C, Bytes/binary>>, utf8, Codes)
  when 16#E0 =< A, A < 16#F0, 16#80 =< B, B < 16#C0, 16#80 =< C, C < 16#C0 ->
    codes_of_bytes(Bytes, 16#800, (A - 16#E0) * 4096 + (B - 16#80) * 64 + (C - 16#80), Codes);
codes_of_bytes(<<A, B, C, D, Bytes/binary>>, utf8, Codes)
  when 16#F0 =< A, A < 16#F5, 16#80 =< B, B < 16#C0, 16#80 =< C, C < 16#C0, 16#80 =< D, D < 16#C0 ->
    Code = (A - 16#F0) * 262144 + (B - 16#80) * 4096 + (C - 16#80) * 64 + (D - 16#80),
    codes_of_bytes(Bytes, 16#10000, Code, Codes);
codes_of_bytes(_, _, _) ->
    other.

%% A character that could have been written with fewer bytes is none.
codes_of_bytes(Bytes, Least, Code, Codes) ->
    case Code >= Least andalso is_code(Code, utf8) of
        true -> codes_of_bytes(Bytes, utf8, [Code | Codes]);
        false -> other
    end.

encoded([Code | Codes], Bytes) when Code < 16#80 ->
    encoded(Codes, <<Bytes/binary, Code>>);
encoded([Code | Codes], Bytes) when Code < 16#800 ->
    encoded(Codes, <<Bytes/binary, (16#C0 + Code div 64), (16#80 + Code rem 64)>>);
encoded([Code | Codes], Bytes) when Code < 16#10000 ->
    More = <<(16#E0 + Code div 4096), (16#80 + Code div 64 rem 64), (16#80 + Code rem 64)>>,
    encoded(Codes, <<Bytes/binary, More/binary>>);
encoded([Code | Codes], Bytes) ->
    More = <<(16#F0 + Code div 262144), (16#80 + Code div 4096 rem 64), (16#80 + Code div 64 rem 64),
             (16#80 + Code rem 64)>>,
    encoded(Codes, <<Bytes/binary, More/binary>>);
encoded([], Bytes) ->
    Bytes.

%% Output goes nowhere, and any term can be printed: what is printed as a term need not be looked at.

output_formatted(Format) -> beagle_native:format(Format, []).

output_formatted(Format, Args) -> beagle_native:format(Format, looked_at(Format, Args)).

output_formatted(Device, Format, Args) -> beagle_native:format(Device, Format, looked_at(Format, Args)).

looked_at([$~ | Format], Args) -> looked_at_by(Format, 0, Args);
looked_at([_ | Format], Args) -> looked_at(Format, Args);
looked_at(Format, Args) when is_binary(Format) -> looked_at(unicode:characters_to_list(Format), Args);
looked_at(Format, Args) when is_atom(Format) -> looked_at(atom_to_list(Format), Args);
looked_at(_, Args) -> Args.

%% Behind the tilde: width, precision, padding (behind the second point) and modifiers, then the letter
%% that says what is printed. A star stands for an argument.
looked_at_by([$., $* | Format], 1, [Arg | Args]) -> [Arg | looked_at_by(Format, 2, Args)];
looked_at_by([$., _ | Format], 1, Args) -> looked_at_by(Format, 2, Args);
looked_at_by([$. | Format], 0, Args) -> looked_at_by(Format, 1, Args);
looked_at_by([$* | Format], Points, [Arg | Args]) -> [Arg | looked_at_by(Format, Points, Args)];
looked_at_by([Control | Format], _, [_ | Args]) when Control =:= $p; Control =:= $w; Control =:= $i ->
    [term | looked_at(Format, Args)];
looked_at_by([Control | Format], _, [_, Depth | Args]) when Control =:= $P; Control =:= $W ->
    [term, Depth | looked_at(Format, Args)];
looked_at_by([Control | Format], _, [Arg, Prefix | Args]) when Control =:= $x; Control =:= $X ->
    [Arg, Prefix | looked_at(Format, Args)];
looked_at_by([Control | Format], _, Args) when Control =:= $~; Control =:= $n ->
    looked_at(Format, Args);
looked_at_by([Other | Format], Points, Args)
  when Other =:= $-; Other =:= $t; Other =:= $l; Other =:= $k; Other >= $0, Other =< $9 ->
    looked_at_by(Format, Points, Args);
looked_at_by([_ | Format], _, [Arg | Args]) ->
    [Arg | looked_at(Format, Args)];
looked_at_by(_, _, Args) ->
    Args.

%% `io_lib:printable_list/1`. Which characters are printable is a flag of the runtime (`+pc`), but those of Latin-1 always
%% are.
printable_list(List) ->
    case io_lib:printable_latin1_list(List) of
        true -> true;
        false -> io_lib:printable_unicode_list(List) andalso io:printable_range() =:= unicode
    end.
