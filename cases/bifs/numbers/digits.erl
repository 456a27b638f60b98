%% Digits of numbers by conversion and by arithmetic.
%%! f(1234567890123456789012) ==> {93,22,2109876543210987654321}
%%! g(255, 16)                ==> [15,15]
-module(digits).
-export([f/1, g/2]).
f(N) -> {lists:sum([C - $0 || C <- integer_to_list(N)]), length(integer_to_list(N)),
    list_to_integer(lists:reverse(integer_to_list(N)))}.
g(0, _) -> [];
g(N, B) -> g(N div B, B) ++ [N rem B].
