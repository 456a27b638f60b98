# A GenServer that ticks by messages to itself. The message of a task that was not awaited has no clause.
#? client: finds error:function_clause
# Scenario: {:ok, p} = InfoTick.start_link(); 0 = InfoTick.ticks(p); :ok = InfoTick.refresh(p); Process.sleep(50); InfoTick.ticks(p)
defmodule InfoTick do
  @moduledoc "Counts seconds."
  use GenServer

  @spec start_link() :: {:ok, pid()}
  def start_link(), do: GenServer.start_link(__MODULE__, 0)

  @spec ticks(pid()) :: non_neg_integer()
  def ticks(server), do: GenServer.call(server, :ticks)

  @doc "Does some work in the background."
  @spec refresh(pid()) :: :ok
  def refresh(server), do: GenServer.cast(server, :refresh)

  @impl true
  def init(ticks) do
    Process.send_after(self(), :tick, 1000)
    {:ok, ticks}
  end

  @impl true
  def handle_call(:ticks, _from, ticks), do: {:reply, ticks, ticks}

  @impl true
  def handle_cast(:refresh, ticks) do
    Task.async(fn -> ticks * 2 end)
    {:noreply, ticks}
  end

  @impl true
  def handle_info(:tick, ticks) do
    Process.send_after(self(), :tick, 1000)
    {:noreply, ticks + 1}
  end
end
