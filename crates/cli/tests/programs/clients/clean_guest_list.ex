# A guest list: nothing that a client may do breaks it.
#? client: clean
defmodule CleanGuestList do
  @moduledoc "Guests and what they bring."
  use GenServer

  @spec start_link(non_neg_integer()) :: {:ok, pid()}
  def start_link(places), do: GenServer.start_link(__MODULE__, places)

  @spec invite(pid(), atom()) :: :ok | {:error, :full}
  def invite(list, guest), do: GenServer.call(list, {:invite, guest})

  @spec cancel(pid(), atom()) :: :ok
  def cancel(list, guest), do: GenServer.cast(list, {:cancel, guest})

  @spec guests(pid()) :: [atom()]
  def guests(list), do: GenServer.call(list, :guests)

  @spec free(pid()) :: non_neg_integer()
  def free(list), do: GenServer.call(list, :free)

  @impl true
  def init(places), do: {:ok, {places, []}}

  @impl true
  def handle_call({:invite, guest}, _from, {places, guests} = state) do
    cond do
      guest in guests -> {:reply, :ok, state}
      length(guests) >= places -> {:reply, {:error, :full}, state}
      true -> {:reply, :ok, {places, [guest | guests]}}
    end
  end

  def handle_call(:guests, _from, {_, guests} = state), do: {:reply, Enum.sort(guests), state}
  def handle_call(:free, _from, {places, guests} = state), do: {:reply, places - length(guests), state}

  @impl true
  def handle_cast({:cancel, guest}, {places, guests}), do: {:noreply, {places, List.delete(guests, guest)}}
end
