# An Agent that keeps measurements. The average of none divides by zero inside of the Agent, but only after it
# was cleared.
#? client: finds error:badarith
# Scenario: {:ok, p} = AgentAverage.start_link(); :ok = AgentAverage.add(p, 4); 4.0 = AgentAverage.average(p); :ok = AgentAverage.clear(p); AgentAverage.average(p)
defmodule AgentAverage do
  @moduledoc "The average of measurements."

  @spec start_link() :: {:ok, pid()}
  def start_link(), do: Agent.start_link(fn -> :nothing_yet end)

  @spec add(pid(), integer()) :: :ok
  def add(agent, value) do
    Agent.update(agent, fn
      :nothing_yet -> [value]
      values -> [value | values]
    end)
  end

  @spec clear(pid()) :: :ok
  def clear(agent), do: Agent.update(agent, fn _ -> [] end)

  @spec average(pid()) :: float() | nil
  def average(agent) do
    Agent.get(agent, fn
      :nothing_yet -> nil
      values -> Enum.sum(values) / length(values)
    end)
  end
end
