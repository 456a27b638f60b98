# Rooms that are found by their names in a Registry. Closing a room that nobody ever entered has no time of the
# last visit to tell.
#? client: finds error:badarith
# Scenario: {:ok, _} = Rooms.open(:red); {:ok, 1} = Rooms.enter(:red, 5); :ok = Rooms.close(:red, 9); {:ok, _} = Rooms.open(:blue); Rooms.close(:blue, 9)
defmodule Rooms do
  @moduledoc "Rooms by name. Times are counted by the caller."
  use GenServer

  @spec open(atom()) :: {:ok, pid()} | {:error, {:already_started, pid()}}
  def open(name), do: GenServer.start(__MODULE__, :ok, name: {:via, Registry, {names(), name}})

  @doc "Tells how many visits there were."
  @spec enter(atom(), non_neg_integer()) :: {:ok, pos_integer()} | {:error, :no_room}
  def enter(name, time), do: ask(name, {:enter, time})

  @doc "Closes the room, if it was left alone for a while."
  @spec close(atom(), non_neg_integer()) :: :ok | {:error, :no_room | :in_use}
  def close(name, time), do: ask(name, {:close, time})

  defp ask(name, request) do
    case Registry.lookup(names(), name) do
      [{room, _}] -> GenServer.call(room, request)
      [] -> {:error, :no_room}
    end
  end

  # The registry is started when it is needed for the first time.
  defp names() do
    case Registry.start_link(keys: :unique, name: __MODULE__.Names) do
      {:ok, _} -> __MODULE__.Names
      {:error, {:already_started, _}} -> __MODULE__.Names
    end
  end

  @impl true
  def init(:ok), do: {:ok, %{visits: 0, last: nil}}

  @impl true
  def handle_call({:enter, time}, _from, %{visits: visits}) do
    {:reply, {:ok, visits + 1}, %{visits: visits + 1, last: time}}
  end

  def handle_call({:close, time}, _from, %{last: last} = state) do
    if time - last > 3, do: {:stop, :normal, :ok, state}, else: {:reply, {:error, :in_use}, state}
  end
end
