%% Appending a list to itself has one path for each length, and each is taken once.
%%! main([a, b]) ==> [a,b,a,b]
%%? main/1 with seed ([a]), bound 3: clean; exhausts; runs = 4
%%? main/1 with bound 0: clean; exhausts; runs = 1
%%? main/1 with seed ([a]), max 20: clean; budget; runs = 20
-module(append_to_itself).
-export([main/1]).

-spec main([term()]) -> [term()].
main(X) -> app(X, X).

app([], Y) -> Y;
app([H | T], Y) -> [H | app(T, Y)].
