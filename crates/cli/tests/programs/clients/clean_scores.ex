# Scores in an Agent under the module's name. Starting it twice is an error that its specification knows.
#? client: clean
defmodule CleanScores do
  @moduledoc "Scores of players."
  use Agent

  @spec start_link() :: {:ok, pid()} | {:error, {:already_started, pid()}}
  def start_link(), do: Agent.start_link(fn -> %{} end, name: __MODULE__)

  @spec add(atom(), integer()) :: :ok
  def add(player, points), do: Agent.update(__MODULE__, &Map.update(&1, player, points, fn n -> n + points end))

  @spec score(atom()) :: integer()
  def score(player), do: Agent.get(__MODULE__, &Map.get(&1, player, 0))

  @spec best() :: {atom(), integer()} | nil
  def best(), do: Agent.get(__MODULE__, fn scores -> Enum.max_by(scores, fn {_, n} -> n end, fn -> nil end) end)
end
