# Process, send and receive in Elixir.
#! alive()      ==> {true,killed,false}
#! linked()     ==> over
#! monitored()  ==> {true,over}
#! names()      ==> {true,refused,true,nil}
#! dictionary() ==> {1,none,1,nil}
#! send_after() ==> {[early,late],true,false}
#! selective()  ==> {2,1,3,none}
#! exits()      ==> [a,{stack,{nocatch,b}},{stack,#{'__exception__' => true,'__struct__' => 'Elixir.RuntimeError',message => <<"c">>}},normal]
#! info()       ==> {{trap_exit,false},{registered_name,[]},[{links,[]},{message_queue_len,0}]}
defmodule ProcessFunctions do
  defp waiting, do: spawn(fn -> receive do: (why -> exit(why)) end)

  def alive do
    pid = waiting()
    ref = Process.monitor(pid)
    before = Process.alive?(pid)
    Process.exit(pid, :kill)
    receive do: ({:DOWN, ^ref, :process, ^pid, why} -> {before, why, Process.alive?(pid)})
  end

  def linked do
    Process.flag(:trap_exit, true)
    pid = waiting()
    Process.link(pid)
    send(pid, :over)
    receive do: ({:EXIT, ^pid, why} -> why)
  end

  def monitored do
    pid = waiting()
    ref = Process.monitor(pid)
    true = Process.demonitor(ref, [:flush])
    {_, again} = {pid, Process.monitor(pid)}
    send(pid, :over)
    receive do: ({:DOWN, which, _, _, why} -> {which == again, why})
  end

  def names do
    pid = waiting()
    true = Process.register(pid, :process_functions_name)
    twice = try do: Process.register(pid, :process_functions_other), rescue: (ArgumentError -> :refused)
    {Process.whereis(:process_functions_name) == pid, twice, Process.unregister(:process_functions_name), Process.whereis(:process_functions_name)}
  end

  def dictionary do
    Process.put(:key, 1)
    task = Task.async(fn -> Process.get(:key, :none) end)
    {Process.get(:key), Task.await(task), Process.delete(:key), Process.get(:key)}
  end

  def send_after do
    Process.send_after(self(), :late, 90)
    Process.send_after(self(), :early, 10)
    timer = Process.send_after(self(), :never, 100_000)
    left = Process.cancel_timer(timer)
    {for(_ <- 1..2, do: receive(do: (m -> m))), left > 90_000, Process.read_timer(timer)}
  end

  def selective do
    for k <- [1, 2, 3], do: send(self(), {:n, k})
    first = receive do: ({:n, k} when k > 1 -> k)
    {first, receive(do: ({:n, k} -> k)), receive(do: ({:n, k} -> k), after: (0 -> :none)), receive(do: (_ -> :some), after: (0 -> :none))}
  end

  def exits do
    for f <- [fn -> exit(:a) end, fn -> throw(:b) end, fn -> raise "c" end, fn -> :ok end] do
      {_, ref} = spawn_monitor(f)

      receive do
        {:DOWN, ^ref, _, _, {why, [_ | _]}} -> {:stack, why}
        {:DOWN, ^ref, _, _, why} -> why
      end
    end
  end

  def info do
    pid = waiting()
    {Process.info(pid, :trap_exit), Process.info(pid, :registered_name), Process.info(pid, [:links, :message_queue_len])}
  end
end
