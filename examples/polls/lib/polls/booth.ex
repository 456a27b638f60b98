defmodule Polls.Booth do
  @moduledoc "Takes votes from several people at once. A process counts them."

  use GenServer

  @type choice :: :yes | :no | :abstain

  @doc "Holds a vote: everybody votes at the same time."
  @spec hold([choice()]) :: %{yes: non_neg_integer(), no: non_neg_integer()}
  def hold(votes) do
    {:ok, booth} = GenServer.start_link(__MODULE__, [:yes, :no])

    votes
    |> Enum.map(fn vote -> Task.async(fn -> GenServer.cast(booth, {:vote, vote}) end) end)
    |> Task.await_many()

    GenServer.call(booth, :counts)
  end

  @impl true
  def init(choices), do: {:ok, Map.new(choices, &{&1, 0})}

  @impl true
  def handle_cast({:vote, choice}, counts) do
    {:noreply, Map.update!(counts, choice, &(&1 + 1))}
  end

  @impl true
  def handle_call(:counts, _from, counts), do: {:reply, counts, counts}
end
