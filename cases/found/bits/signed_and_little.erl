%% Numbers in binaries are read with their sign and from their own end.
%%! signed(<<255, 254>>) ==> error minus_two
%%! little(<<1, 2, 3>>)  ==> 197121
%%! both(<<254, 255>>)   ==> error minus_two
%%? signed/1: finds error:minus_two for (<<255, 254>>); failures = 1
%%? little/1: finds error:little for (<<16#56, 16#34, 16#12>>); failures = 1
%%? both/1: finds error:minus_two for (<<254, 255>>); failures = 1
%%? odd/1: finds error:odd for (<<_:3, -2:5/signed, _/bits>>); failures = 1
-module(signed_and_little).
-export([signed/1, little/1, both/1, odd/1]).

-spec signed(binary()) -> integer() | none.
signed(<<-2:16/signed>>) -> error(minus_two);
signed(<<X:16/signed>>) -> X;
signed(_) -> none.

-spec little(binary()) -> integer() | none.
little(<<X:24/little>>) when X =:= 16#123456 -> error(little);
little(<<X:24/little>>) -> X;
little(_) -> none.

-spec both(binary()) -> integer() | none.
both(<<X:16/signed-little>>) when X + 2 =:= 0 -> error(minus_two);
both(<<X:16/signed-little>>) -> X;
both(_) -> none.

-spec odd(bitstring()) -> integer() | none.
odd(<<_:3, X:5/signed, _/bits>>) when X =:= -2 -> error(odd);
odd(<<_:3, X:5/signed, _/bits>>) -> X;
odd(_) -> none.
