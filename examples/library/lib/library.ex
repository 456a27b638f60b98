defmodule Library do
  @moduledoc """
  Lends books to readers. A book that is out can be reserved, and goes to the next reader when it comes back.
  """

  use GenServer

  @type book :: atom()
  @type reader :: atom()

  @doc "Opens a library where all books are in."
  @spec start_link() :: {:ok, pid()}
  def start_link(), do: GenServer.start_link(__MODULE__, :ok)

  @doc "Lends a book to a reader."
  @spec lend(pid(), book(), reader()) :: :ok | {:error, :out}
  def lend(library, book, reader), do: GenServer.call(library, {:lend, book, reader})

  @doc "Puts a reader on the list of those who get the book next."
  @spec reserve(pid(), book(), reader()) :: :ok | {:error, :in}
  def reserve(library, book, reader), do: GenServer.call(library, {:reserve, book, reader})

  @doc "Takes a book back. Tells who gets it next, if somebody does."
  @spec give_back(pid(), book()) :: :in | {:to, reader()} | {:error, :in}
  def give_back(library, book), do: GenServer.call(library, {:give_back, book})

  @impl true
  def init(:ok), do: {:ok, %{lent: %{}, reserved: %{}}}

  @impl true
  def handle_call({:lend, book, reader}, _from, %{lent: lent} = state) do
    if Map.has_key?(lent, book) do
      {:reply, {:error, :out}, state}
    else
      {:reply, :ok, %{state | lent: Map.put(lent, book, reader)}}
    end
  end

  def handle_call({:reserve, book, reader}, _from, %{lent: lent, reserved: reserved} = state) do
    if Map.has_key?(lent, book) do
      {:reply, :ok, %{state | reserved: Map.update(reserved, book, [reader], &(&1 ++ [reader]))}}
    else
      {:reply, {:error, :in}, state}
    end
  end

  def handle_call({:give_back, book}, _from, %{lent: lent} = state) when not is_map_key(lent, book) do
    {:reply, {:error, :in}, state}
  end

  def handle_call({:give_back, book}, _from, %{lent: lent, reserved: reserved} = state) do
    case reserved[book] do
      nil ->
        {:reply, :in, %{state | lent: Map.delete(lent, book)}}

      [next | others] ->
        {:reply, {:to, next}, %{lent: Map.put(lent, book, next), reserved: Map.put(reserved, book, others)}}
    end
  end
end
