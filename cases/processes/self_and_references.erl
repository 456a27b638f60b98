%% self is a pid, references are all different.
%%! f() ==> {true,true,true,true}
%%! g() ==> {true,true,false,3}
-module(self_and_references).
-export([f/0, g/0]).
f() -> {is_pid(self()), self() =:= self(), is_process_alive(self()), is_list(pid_to_list(self()))}.
g() -> A = make_ref(), B = make_ref(), {is_reference(A), A =:= A, A =:= B, length(lists:usort([make_ref() || _ <- [1, 2, 3]]))}.
