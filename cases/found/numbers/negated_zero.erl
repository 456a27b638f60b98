%% The negation of a float that the compiler knows to be one loses the sign of zero there.
%% Here a negation is a negation wherever it stands.
%%-! negate(0.0) ==> {0.0,"0.0"}
%%! negate(1.0)  ==> {-1.0,"-1.0"}
-module(negated_zero).
-export([negate/1]).

negate(X) when is_float(X) -> {-X, printed(-X)}.

printed(X) -> float_to_list(X, [{decimals, 1}]).
