# A Task.Supervisor has the tasks as its children, linked to who asked or not.
#! awaited()           ==> done
#! not_linked()        ==> {exit,broken}
#! child()             ==> ran
#! stream_not_linked() ==> [{ok,1},{exit,two},{ok,3}]
#! counted()           ==> 2
defmodule TaskSupervisors do
  defp start do
    {:ok, sup} = Task.Supervisor.start_link()
    sup
  end

  def awaited, do: Task.await(Task.Supervisor.async(start(), fn -> :done end))

  def not_linked do
    task = Task.Supervisor.async_nolink(start(), fn -> exit(:broken) end)
    Task.yield(task, 1000)
  end

  def child do
    me = self()
    {:ok, pid} = Task.Supervisor.start_child(start(), fn -> send(me, {:from, self()}) end)

    receive do
      {:from, ^pid} -> :ran
    end
  end

  def stream_not_linked do
    f = fn
      2 -> exit(:two)
      k -> k
    end

    Enum.to_list(Task.Supervisor.async_stream_nolink(start(), [1, 2, 3], f))
  end

  def counted do
    sup = start()
    for _ <- 1..3, do: Task.Supervisor.start_child(sup, fn -> Process.sleep(:infinity) end)
    [first | _] = Task.Supervisor.children(sup)
    :ok = Task.Supervisor.terminate_child(sup, first)
    length(Task.Supervisor.children(sup))
  end
end
