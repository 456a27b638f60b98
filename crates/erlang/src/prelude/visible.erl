
%% What a function is to other processes: `visible` if they could notice that it was called, `start` if it starts one, and
%% `restart` if its process begins anew. (The helper of the oracle reads this text as well, when it puts questions into code.)
kind_of_operation(erlang, Name, Arity) -> kind_of_native(Name, Arity);
kind_of_operation(ets, _, _) -> visible;
kind_of_operation(persistent_term, _, _) -> visible;
kind_of_operation(atomics, _, _) -> visible;
kind_of_operation(counters, _, _) -> visible;
kind_of_operation(_, _, _) -> other.

kind_of_native('!', 2) -> visible;
kind_of_native(send, _) -> visible;
kind_of_native(send_nosuspend, _) -> visible;
kind_of_native(exit, 2) -> visible;
kind_of_native(link, 1) -> visible;
kind_of_native(unlink, 1) -> visible;
kind_of_native(monitor, _) -> visible;
kind_of_native(demonitor, _) -> visible;
kind_of_native(register, 2) -> visible;
kind_of_native(unregister, 1) -> visible;
kind_of_native(whereis, 1) -> visible;
kind_of_native(registered, 0) -> visible;
kind_of_native(is_process_alive, 1) -> visible;
kind_of_native(process_info, _) -> visible;
kind_of_native(processes, 0) -> visible;
kind_of_native(group_leader, 2) -> visible;
kind_of_native(alias, _) -> visible;
kind_of_native(unalias, 1) -> visible;
kind_of_native(send_after, _) -> visible;
kind_of_native(start_timer, _) -> visible;
kind_of_native(cancel_timer, _) -> visible;
kind_of_native(read_timer, _) -> visible;
kind_of_native(spawn, _) -> start;
kind_of_native(spawn_link, _) -> start;
kind_of_native(spawn_monitor, _) -> start;
kind_of_native(spawn_opt, _) -> start;
kind_of_native(spawn_request, _) -> start;
kind_of_native(hibernate, 3) -> restart;
kind_of_native(_, _) -> other.
