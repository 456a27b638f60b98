%% Arithmetic on values that may be no numbers, or numbers of two kinds.
%%! add(1, a)  ==> error badarith
%%! half(3)    ==> 1
%%! mixed(1.5) ==> 4.0
%%? add/2: finds error:badarith for (A, B) when not (is_number(A) and is_number(B)); finds error:ten for (A, B) when A + B =:= 10; failures = 2
%%? half/1: finds error:badarith for (X) when not is_integer(X); finds error:three for (X) when X div 2 =:= 3; failures = 2
%%? mixed/1: finds error:seven for (X) when X * 2 + 1.0 == 7; finds error:badarith
%%? divided/2: finds error:badarith for (_, Y) when Y == 0; finds error:quarter for (X, Y) when X / Y =:= 0.25; failures = 2
-module(arithmetic_on_anything).
-export([add/2, half/1, mixed/1, divided/2]).

add(A, B) ->
    case A + B of
        10 -> error(ten);
        Sum -> Sum
    end.

half(X) ->
    case X div 2 of
        3 -> error(three);
        H -> H
    end.

mixed(X) when is_integer(X); is_float(X), abs(X) < 1.0e6 ->
    case X * 2 + 1.0 of
        7.0 -> error(seven);
        Y -> Y
    end;
mixed(X) when is_float(X) -> X;
mixed(X) -> X * 2.

-spec divided(1..100, 0..100) -> float().
divided(X, Y) ->
    case X / Y of
        0.25 -> error(quarter);
        Q -> Q
    end.
