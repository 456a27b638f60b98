# A playlist without a single specification. Skipping beyond the last song leaves nothing to play, which the next skip
# does not expect.
#? client with all: finds error:function_clause
# Scenario: {:ok, p} = Playlist.start_link(); :ok = Playlist.add(p, "a"); nil = Playlist.skip(p); Playlist.skip(p)
defmodule Playlist do
  use GenServer

  def start_link(), do: GenServer.start_link(__MODULE__, [])
  def add(playlist, song), do: GenServer.cast(playlist, {:add, song})
  def current(playlist), do: GenServer.call(playlist, :current)
  def skip(playlist), do: GenServer.call(playlist, :skip)

  @impl true
  def init(songs), do: {:ok, songs}

  @impl true
  def handle_cast({:add, song}, :ended), do: {:noreply, [song]}
  def handle_cast({:add, song}, songs), do: {:noreply, songs ++ [song]}

  @impl true
  def handle_call(:current, _from, :ended), do: {:reply, nil, :ended}
  def handle_call(:current, _from, songs), do: {:reply, List.first(songs), songs}
  def handle_call(:skip, _from, []), do: {:reply, nil, []}
  def handle_call(:skip, _from, [_]), do: {:reply, nil, :ended}
  def handle_call(:skip, _from, [_ | rest]), do: {:reply, hd(rest), rest}
end
