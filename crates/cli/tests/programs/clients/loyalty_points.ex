# Loyalty points of customers, kept by an Agent. Who leaves loses the points but stays in the list of members, so that
# spending finds a member without points.
#? client: finds error:{badkey, _}
# Scenario: {:ok, p} = LoyaltyPoints.start_link(); :ok = LoyaltyPoints.join(p, :ann); :ok = LoyaltyPoints.leave(p, :ann); LoyaltyPoints.spend(p, :ann, 1)
defmodule LoyaltyPoints do
  @moduledoc "Points of customers."
  use Agent

  @spec start_link() :: {:ok, pid()}
  def start_link(), do: Agent.start_link(fn -> %{points: %{}, members: []} end)

  @spec join(pid(), atom()) :: :ok
  def join(agent, who) do
    Agent.update(agent, fn s -> %{s | points: Map.put_new(s.points, who, 10), members: [who | s.members]} end)
  end

  @spec leave(pid(), atom()) :: :ok
  def leave(agent, who), do: Agent.update(agent, fn s -> %{s | points: Map.delete(s.points, who)} end)

  @doc "Spends points of a member; tells how many are left."
  @spec spend(pid(), atom(), pos_integer()) :: {:ok, non_neg_integer()} | {:error, :unknown | :not_enough}
  def spend(agent, who, amount) do
    Agent.get_and_update(agent, fn s ->
      cond do
        who not in s.members -> {{:error, :unknown}, s}
        Map.fetch!(s.points, who) < amount -> {{:error, :not_enough}, s}
        true -> {{:ok, s.points[who] - amount}, %{s | points: Map.update!(s.points, who, &(&1 - amount))}}
      end
    end)
  end
end
