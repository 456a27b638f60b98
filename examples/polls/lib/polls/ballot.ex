defmodule Polls.Ballot do
  @moduledoc "Ballots as they come in: \"name=choice\", one in a line."

  @type t :: %{name: String.t(), choice: non_neg_integer()}

  @doc "A ballot from its text."
  @spec parse(String.t()) :: {:ok, t()} | {:error, :format}
  def parse(text) do
    case String.split(text, "=", parts: 2) do
      [name, choice] when name != "" -> {:ok, %{name: name, choice: String.to_integer(choice)}}
      _ -> {:error, :format}
    end
  end
end
