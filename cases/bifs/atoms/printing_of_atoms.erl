%% Atoms print with quotes where the reader needs them.
%%! [a, 'A', 'a b', '', 'end', 'a@b', '1a', 'ab_C1', '_', 'é', 'É', 'a.b', 'don\'t', '\n', 'maybe', 'and'] ==> [a,'A','a b','','end',a@b,'1a',ab_C1,'_',é,'É','a.b','don\'t','\n',maybe,'and']
%%! f() ==> ["a","'A'","'if'","'@'","aÿ"]
-module(printing_of_atoms).
-export([f/0]).
f() -> [io_lib:write_atom(A) || A <- [a, 'A', 'if', '@', 'aÿ']].
