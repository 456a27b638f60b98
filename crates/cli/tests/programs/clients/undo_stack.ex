# A value with a history as an opaque struct. Redoing after undoing everything finds no step to go forward to if a new
# value was set between.
#? client: finds error:{badmatch, []}
# Scenario: h = UndoStack.new(1) |> UndoStack.set(2) |> UndoStack.undo() |> UndoStack.set(3); 3 = UndoStack.value(h); UndoStack.redo(h)
defmodule UndoStack do
  @moduledoc "A value with undo and redo."
  @enforce_keys [:value]
  defstruct [:value, past: [], future: [], undone: 0]

  @opaque t :: %__MODULE__{value: integer(), past: [integer()], future: [integer()], undone: non_neg_integer()}

  @spec new(integer()) :: t()
  def new(value), do: %__MODULE__{value: value}

  @spec value(t()) :: integer()
  def value(%__MODULE__{value: value}), do: value

  @spec set(t(), integer()) :: t()
  def set(%__MODULE__{} = h, value), do: %{h | value: value, past: [h.value | h.past], future: []}

  @spec undo(t()) :: t()
  def undo(%__MODULE__{past: []} = h), do: h

  def undo(%__MODULE__{past: [last | past]} = h) do
    %{h | value: last, past: past, future: [h.value | h.future], undone: h.undone + 1}
  end

  @spec redo(t()) :: t()
  def redo(%__MODULE__{undone: 0} = h), do: h

  def redo(%__MODULE__{undone: undone} = h) do
    [next | future] = h.future
    %{h | value: next, past: [h.value | h.past], future: future, undone: undone - 1}
  end
end
