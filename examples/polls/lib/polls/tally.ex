defmodule Polls.Tally do
  @moduledoc "Counts votes."

  @type counts :: %{optional(atom()) => non_neg_integer()}

  @doc "The share of one choice, in percent."
  @spec share(counts(), atom()) :: 0..100
  def share(counts, choice) do
    all = counts |> Map.values() |> Enum.sum()
    div(100 * Map.get(counts, choice, 0), all)
  end

  @doc "Who leads, by how much."
  @spec lead([{atom(), non_neg_integer()}]) :: {atom(), pos_integer()} | :draw
  def lead(counts) do
    [{winner, most}, {_, next} | _] = Enum.sort_by(counts, fn {_, count} -> -count end)
    if most > next, do: {winner, most - next}, else: :draw
  end

  @doc "Counts under other names."
  @spec rename(counts(), (atom() -> atom())) :: counts()
  def rename(counts, to) do
    renamed = Map.new(counts, fn {name, count} -> {to.(name), count} end)
    true = map_size(renamed) == map_size(counts)
    renamed
  end
end
