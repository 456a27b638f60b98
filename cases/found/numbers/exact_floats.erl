%% Floats are exact to their last bit, and a large one is no integer though it equals one.
%%! large(1.0e16)            ==> error large
%%! large(10000000000000000) ==> ok
%%? large/1: finds error:large for (1.0e16); failures = 1; exhausts; runs = 2
%%? equal/1: finds error:{equal,X} for (X) when is_integer(X); finds error:{equal,X} for (X) when is_float(X); failures >= 1
%%? absorbed/1: finds error:absorbed for (X) when X + 1.0 == X within 20 runs; failures = 1
-module(exact_floats).
-export([large/1, equal/1, absorbed/1]).

large(X) when X =:= 1.0e16 -> error(large);
large(_) -> ok.

-spec equal(number()) -> ok.
equal(X) when X == 1.0e16, is_integer(X) -> error({equal, X});
equal(X) when X == 1.0e16 -> error({equal, X});
equal(_) -> ok.

-spec absorbed(number()) -> ok.
absorbed(X) when X + 1.0 == X -> error(absorbed);
absorbed(_) -> ok.
