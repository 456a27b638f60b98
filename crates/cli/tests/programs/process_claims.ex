defmodule ProcessClaims.Divider do
  use GenServer
  def init(n), do: {:ok, n}
  def handle_call({:divide, by}, _, n), do: {:reply, div(n, by), n}
end

defmodule ProcessClaims do
  @spec task(integer()) :: :ok
  def task(n) do
    if Task.await(Task.async(fn -> n * 2 end)) == 14, do: raise("fourteen"), else: :ok
  end

  @spec agent(integer()) :: :ok
  def agent(n) do
    {:ok, a} = Agent.start_link(fn -> 3 end)
    Agent.update(a, &(&1 + n))
    if Agent.get(a, & &1) == 10, do: raise("ten"), else: :ok
  end

  @spec server(integer()) :: integer()
  def server(by) do
    {:ok, s} = GenServer.start(ProcessClaims.Divider, 100)
    GenServer.call(s, {:divide, by})
  end

  @spec stream([0..9]) :: :ok
  def stream(list) do
    for {:ok, 5} <- Task.async_stream(list, & &1), do: raise("five")
    :ok
  end

  @spec waits(boolean()) :: :ok
  def waits(silent) do
    me = self()
    spawn(fn -> unless silent, do: send(me, :hello) end)
    receive do: (:hello -> :ok)
  end

  @spec registered(atom()) :: :ok
  def registered(key) do
    {:ok, _} = Registry.start_link(keys: :unique, name: :process_claims)
    {:ok, _} = Registry.register(:process_claims, key, 1)
    [{pid, 1}] = Registry.lookup(:process_claims, key)
    true = pid == self()
    :ok
  end
end
