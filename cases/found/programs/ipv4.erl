%% Four numbers with dots between them, the last of them too large.
%%! parse("127.0.0.1") ==> {127,0,0,1}
%%! parse("1.2.3")     ==> error
%%! parse("1.2.3.256") ==> error {too_large,256}
%%? parse/1 with max 1500: finds error:{too_large,N} for ([_|_]) when N > 255; failures = 1
-module(ipv4).
-export([parse/1]).

-spec parse([$0..$9 | $.]) -> {byte(), byte(), byte(), byte()} | error.
parse(Text) -> octets(Text, none, []).

octets([$. | Rest], N, Octets) when is_integer(N), length(Octets) < 3 -> octets(Rest, none, [N | Octets]);
octets([$. | _], _, _) -> error;
octets([D | Rest], none, Octets) -> octets(Rest, D - $0, Octets);
octets([D | Rest], N, Octets) when N < 100 -> octets(Rest, 10 * N + D - $0, Octets);
octets([], N, [_, _, _]) when is_integer(N), N > 255 -> error({too_large, N});
octets([], N, [C, B, A]) when is_integer(N), A < 256, B < 256, C < 256 -> {A, B, C, N};
octets(_, _, _) -> error.
