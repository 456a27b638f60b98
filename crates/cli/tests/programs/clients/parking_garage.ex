# A parking garage with tickets. Leaving on a ticket that was paid and used before frees a second place.
#? client: finds spec:N when N > 3
# Scenario: {:ok, g} = ParkingGarage.start_link(); {:ok, t} = ParkingGarage.enter(g); :ok = ParkingGarage.pay(g, t); 3 = ParkingGarage.leave(g, t); ParkingGarage.leave(g, t)
defmodule ParkingGarage do
  @moduledoc "A garage with three places."
  use GenServer

  @type ticket :: reference()

  @spec start_link() :: {:ok, pid()}
  def start_link(), do: GenServer.start_link(__MODULE__, :ok)

  @spec enter(pid()) :: {:ok, ticket()} | :full
  def enter(garage), do: GenServer.call(garage, :enter)

  @spec pay(pid(), ticket()) :: :ok | {:error, :unknown}
  def pay(garage, ticket), do: GenServer.call(garage, {:pay, ticket})

  @doc "Tells how many places are free then."
  @spec leave(pid(), ticket()) :: 0..3 | {:error, :unpaid}
  def leave(garage, ticket), do: GenServer.call(garage, {:leave, ticket})

  @impl true
  def init(:ok), do: {:ok, %{free: 3, tickets: %{}}}

  @impl true
  def handle_call(:enter, _from, %{free: 0} = state), do: {:reply, :full, state}

  def handle_call(:enter, _from, state) do
    ticket = make_ref()
    {:reply, {:ok, ticket}, %{state | free: state.free - 1, tickets: Map.put(state.tickets, ticket, :unpaid)}}
  end

  def handle_call({:pay, ticket}, _from, %{tickets: tickets} = state) when is_map_key(tickets, ticket) do
    {:reply, :ok, %{state | tickets: Map.put(tickets, ticket, :paid)}}
  end

  def handle_call({:pay, _}, _from, state), do: {:reply, {:error, :unknown}, state}

  def handle_call({:leave, ticket}, _from, %{free: free, tickets: tickets} = state) do
    case tickets do
      %{^ticket => :paid} -> {:reply, free + 1, %{state | free: free + 1}}
      _ -> {:reply, {:error, :unpaid}, state}
    end
  end
end
