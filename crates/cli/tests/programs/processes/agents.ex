# Agents keep a state, in a process of their own, for functions that come to it.
#! counted()           ==> {15,30,replaced}
#! named()             ==> {[{a,1},{b,2}],ok,nil}
#! crash_in_function() ==> {{exit,<<"bug">>},false}
#! stopped()           ==> {exit,noproc}
#! cast_then_get()     ==> [3,2,1]
#! already_started()   ==> {true,0}
defmodule Agents do
  def counted do
    {:ok, a} = Agent.start_link(fn -> 0 end)
    for k <- 1..5, do: Agent.update(a, &(&1 + k))
    {Agent.get(a, & &1), Agent.get_and_update(a, &{&1 * 2, :replaced}), Agent.get(a, & &1)}
  end

  def named do
    {:ok, _} = Agent.start_link(fn -> %{a: 1} end, name: __MODULE__)
    Agent.update(__MODULE__, &Map.put(&1, :b, 2))
    {Agent.get(__MODULE__, &Enum.sort(Map.to_list(&1))), Agent.stop(__MODULE__), Process.whereis(__MODULE__)}
  end

  def crash_in_function do
    {:ok, a} = Agent.start(fn -> 0 end)
    ref = Process.monitor(a)

    caught =
      try do
        Agent.get(a, fn _ -> raise "bug" end)
      catch
        :exit, {{%RuntimeError{message: message}, [_ | _]}, {GenServer, :call, _}} -> {:exit, message}
      end

    receive do
      {:DOWN, ^ref, :process, ^a, {%RuntimeError{}, _}} -> {caught, Process.alive?(a)}
    end
  end

  def stopped do
    {:ok, a} = Agent.start_link(fn -> 0 end)
    :ok = Agent.stop(a, :normal)
    try do: Agent.get(a, & &1), catch: (:exit, {why, {GenServer, :call, _}} -> {:exit, why})
  end

  def cast_then_get do
    {:ok, a} = Agent.start_link(fn -> [] end)
    for k <- [1, 2, 3], do: Agent.cast(a, &[k | &1])
    Agent.get(a, & &1)
  end

  def already_started do
    {:ok, a} = Agent.start_link(fn -> 0 end, name: :agents_twice)
    {:error, {:already_started, b}} = Agent.start_link(fn -> 1 end, name: :agents_twice)
    {a == b, Agent.get(:agents_twice, & &1)}
  end
end
