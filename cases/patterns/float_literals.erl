%% Float patterns match by exact value; zero matches either sign in OTP 25.
%%! f(0.1)                 ==> tenth
%%! f(0.1 + 0.2)           ==> almost
%%! f(0.30000000000000004) ==> almost
%%! f(1.0e308)             ==> large
%%! f(0.0)                 ==> zero
%%! f(-0.0)                ==> zero
%%! f(1)                   ==> integer_one
%%! f(2)                   ==> other
-module(float_literals).
-export([f/1]).
f(0.1) -> tenth;
f(0.3) -> three_tenths;
f(0.30000000000000004) -> almost;
f(1.0e308) -> large;
f(0.0) -> zero;
f(1) -> integer_one;
f(2.0) -> float_two;
f(_) -> other.
