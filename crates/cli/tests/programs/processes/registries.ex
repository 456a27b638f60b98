# Registry: unique and duplicate keys, lookups, dispatch, and what is left after an end.
#! unique()      ==> {true,true,ok,[]}
#! duplicate()   ==> {[1,2,3],3,[key,key,key]}
#! via()         ==> {state,true}
#! after_death() ==> []
#! values()      ==> {{2,1},true,ok,{ok,v}}
#! dispatched()  ==> mine
defmodule Registries do
  defp start(keys) do
    name = :"registries_#{keys}_#{System.unique_integer([:positive])}"
    {:ok, _} = Registry.start_link(keys: keys, name: name)
    name
  end

  def unique do
    r = start(:unique)
    {:ok, _} = Registry.register(r, :key, 1)
    {:error, {:already_registered, me}} = Registry.register(r, :key, 2)
    {me == self(), Registry.lookup(r, :key) == [{self(), 1}], Registry.unregister(r, :key), Registry.lookup(r, :key)}
  end

  def duplicate do
    r = start(:duplicate)
    for k <- 1..3, do: {:ok, _} = Registry.register(r, :key, k)
    {Enum.sort(for({_, v} <- Registry.lookup(r, :key), do: v)), Registry.count(r), Registry.keys(r, self())}
  end

  def via do
    r = start(:unique)
    {:ok, a} = Agent.start_link(fn -> :state end, name: {:via, Registry, {r, "agent"}})
    {Agent.get({:via, Registry, {r, "agent"}}, & &1), Registry.whereis_name({r, "agent"}) == a}
  end

  def after_death do
    r = start(:unique)
    me = self()

    {pid, ref} =
      spawn_monitor(fn ->
        {:ok, _} = Registry.register(r, :key, 1)
        send(me, :registered)
        receive do: (:stop -> :ok)
      end)

    receive do: (:registered -> send(pid, :stop))
    receive do: ({:DOWN, ^ref, _, _, _} -> Registry.lookup(r, :key))
  end

  def values do
    r = start(:unique)
    {:ok, _} = Registry.register(r, :key, 1)
    {Registry.update_value(r, :key, &(&1 + 1)), Registry.lookup(r, :key) == [{self(), 2}], Registry.put_meta(r, :m, :v), Registry.meta(r, :m)}
  end

  def dispatched do
    r = start(:duplicate)
    {:ok, _} = Registry.register(r, :topic, :mine)
    Registry.dispatch(r, :topic, fn entries -> for {pid, v} <- entries, do: send(pid, {:news, v}) end)
    receive do: ({:news, v} -> v)
  end
end
