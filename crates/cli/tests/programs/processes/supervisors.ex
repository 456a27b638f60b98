# Supervisors in Elixir: static children, dynamic ones, restarts, and limits.
#! restarted()         ==> {false,false,#{active => 2,specs => 2,supervisors => 0,workers => 2}}
#! dynamic()           ==> {[1,2,3],#{active => 2,specs => 2,supervisors => 0,workers => 2},{error,not_found}}
#! dynamic_restarts()  ==> {true,1}
#! too_many_children() ==> {error,max_children}
#! gives_up()          ==> shutdown
#! order()             ==> {[b,a],ok}
defmodule Supervisors do
  defp started(id, me) do
    %{id: id, start: {Task, :start_link, [fn -> run(id, me) end]}, restart: :permanent}
  end

  defp run(id, me) do
    send(me, {:started, id, self()})

    receive do
      why -> exit(why)
    end
  end

  defp pid(id), do: receive(do: ({:started, ^id, pid} -> pid))

  def restarted do
    {:ok, sup} = Supervisor.start_link([started(:a, self()), started(:b, self())], strategy: :one_for_all)
    [a, b] = [pid(:a), pid(:b)]
    send(a, :crash)
    [a2, b2] = [pid(:a), pid(:b)]
    {a == a2, b == b2, Supervisor.count_children(sup)}
  end

  def dynamic do
    {:ok, sup} = DynamicSupervisor.start_link(strategy: :one_for_one)
    for k <- 1..3, do: {:ok, _} = DynamicSupervisor.start_child(sup, {Agent, fn -> k end})
    pids = for {:undefined, pid, :worker, [Agent]} <- DynamicSupervisor.which_children(sup), do: pid
    values = Enum.sort(for pid <- pids, do: Agent.get(pid, & &1))
    :ok = DynamicSupervisor.terminate_child(sup, hd(pids))
    {values, DynamicSupervisor.count_children(sup), DynamicSupervisor.terminate_child(sup, self())}
  end

  def dynamic_restarts do
    {:ok, sup} = DynamicSupervisor.start_link(strategy: :one_for_one)
    {:ok, a} = DynamicSupervisor.start_child(sup, started(:x, self()))
    ^a = pid(:x)
    send(a, :crash)
    {pid(:x) != a, DynamicSupervisor.count_children(sup).active}
  end

  def too_many_children do
    {:ok, sup} = DynamicSupervisor.start_link(strategy: :one_for_one, max_children: 1)
    {:ok, _} = DynamicSupervisor.start_child(sup, {Agent, fn -> 1 end})
    DynamicSupervisor.start_child(sup, {Agent, fn -> 2 end})
  end

  def gives_up do
    Process.flag(:trap_exit, true)
    {:ok, sup} = Supervisor.start_link([started(:a, self())], strategy: :one_for_one, max_restarts: 1)
    send(pid(:a), :crash)
    send(pid(:a), :crash)
    receive do: ({:EXIT, ^sup, why} -> why)
  end

  def order do
    {:ok, sup} = Supervisor.start_link([started(:a, self()), started(:b, self())], strategy: :rest_for_one)
    {for({id, _, _, _} <- Supervisor.which_children(sup), do: id), Supervisor.stop(sup)}
  end
end
