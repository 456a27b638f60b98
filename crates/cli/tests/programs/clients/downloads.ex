# Downloads that run as children of a DynamicSupervisor. Reporting progress for a download of no bytes divides by zero.
#? client: finds error:badarith
# Scenario: {:ok, s} = Downloads.start_link(); {:ok, d} = Downloads.start(s, 10); 50 = Downloads.received(d, 5); {:ok, e} = Downloads.start(s, 0); Downloads.received(e, 0)
defmodule Downloads do
  @moduledoc "Downloads and their progress."
  use GenServer, restart: :temporary

  @type supervisor :: pid()
  @type download :: pid()

  @spec start_link() :: {:ok, supervisor()}
  def start_link(), do: DynamicSupervisor.start_link(strategy: :one_for_one)

  @spec start(supervisor(), non_neg_integer()) :: {:ok, download()}
  def start(supervisor, bytes), do: DynamicSupervisor.start_child(supervisor, {__MODULE__, bytes})

  @doc "Counts what has come in; tells the progress in percent."
  @spec received(download(), non_neg_integer()) :: 0..100
  def received(download, bytes), do: GenServer.call(download, {:received, bytes})

  @spec running(supervisor()) :: non_neg_integer()
  def running(supervisor), do: DynamicSupervisor.count_children(supervisor).active

  @doc false
  def start_link(bytes), do: GenServer.start_link(__MODULE__, bytes)

  @impl true
  def init(bytes), do: {:ok, {0, bytes}}

  @impl true
  def handle_call({:received, more}, _from, {got, all}) do
    got = min(got + more, all)
    {:reply, div(100 * got, all), {got, all}}
  end
end
