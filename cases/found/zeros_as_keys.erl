%% The two zeros are one key: the first that was put stays, with the value of the last.
%%! new(-0.0, 0.0)                        ==> #{-0.0 => 2}
%%! new(0.0, -0.0)                        ==> #{0.0 => 2}
%%! more(-0.0, 0.0)                       ==> #{-0.0 => 2,a => 5,b => 6}
%%! update(#{}, -0.0, 0.0)                ==> #{-0.0 => 2}
%%! update(#{1 => 2}, -0.0, 0.0)          ==> #{1 => 2,-0.0 => 2}
%%! constant()                            ==> #{-0.0 => 2}
%%! maps:from_list([{-0.0, 1}, {0.0, 2}]) ==> #{0.0 => 2}
%%! #{-0.0 => 1, 0.0 => 2}                ==> #{-0.0 => 2}
-module(zeros_as_keys).
-export([new/2, more/2, update/3, constant/0]).
new(X, Y) -> #{X => 1, Y => 2}.
more(X, Y) -> #{X => 1, a => 5, Y => 2, b => 6}.
update(M, X, Y) -> M#{X => 1, Y => 2}.
constant() -> #{-0.0 => 1, 0.0 => 2}.
