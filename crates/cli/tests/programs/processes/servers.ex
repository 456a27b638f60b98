# A GenServer in Elixir: calls, casts, messages, continue, names, and its end.
#! stack()        ==> {{info,hello},2,[1],ok}
#! unknown_call() ==> {'Elixir.Servers',handle_call}
#! late_reply()   ==> answer
#! continued()    ==> [{continued,work}]
#! stopped()      ==> {shutdown,false}
#! noproc()       ==> {noproc,{'Elixir.GenServer',call,[no_such_server_here,x,5000]}}
#! timeout()      ==> timeout
#! child_spec()   ==> [{id,'Elixir.Servers'},{start,{'Elixir.Servers',start_link,[[1]]}}]
defmodule Servers do
  use GenServer

  def init({:continue, what}), do: {:ok, [], {:continue, what}}
  def init(stack), do: {:ok, stack}
  def handle_continue(what, stack), do: {:noreply, [{:continued, what} | stack]}
  def handle_call(:pop, _, [top | rest]), do: {:reply, top, rest}
  def handle_call(:all, _, stack), do: {:reply, stack, stack}
  def handle_call(:never, _, stack), do: {:noreply, stack}
  def handle_call({:later, x}, from, stack), do: {spawn(fn -> GenServer.reply(from, x) end), {:noreply, stack}} |> elem(1)
  def handle_cast({:push, x}, stack), do: {:noreply, [x | stack]}
  def handle_info(message, stack), do: {:noreply, [{:info, message} | stack]}
  def terminate(why, [{:tell, pid} | _]), do: send(pid, {:terminated, why})
  def terminate(_, _), do: :ok

  def stack do
    {:ok, s} = GenServer.start_link(__MODULE__, [1], name: __MODULE__)
    GenServer.cast(__MODULE__, {:push, 2})
    send(s, :hello)
    {GenServer.call(s, :pop), GenServer.call(s, :pop), GenServer.call(__MODULE__, :all), GenServer.stop(s)}
  end

  def unknown_call do
    {:ok, s} = GenServer.start(__MODULE__, [])
    try do: GenServer.call(s, :pop), catch: (:exit, {{:function_clause, [{m, f, _, _} | _]}, {GenServer, :call, [^s, :pop, 5000]}} -> {m, f})
  end

  def late_reply do
    {:ok, s} = GenServer.start_link(__MODULE__, [])
    GenServer.call(s, {:later, :answer})
  end

  def continued do
    {:ok, s} = GenServer.start_link(__MODULE__, {:continue, :work})
    GenServer.call(s, :all)
  end

  def stopped do
    {:ok, s} = GenServer.start(__MODULE__, [{:tell, self()}])
    :ok = GenServer.stop(s, :shutdown)

    receive do
      {:terminated, why} -> {why, Process.alive?(s)}
    end
  end

  def noproc, do: catch_exit(fn -> GenServer.call(:no_such_server_here, :x) end)

  def timeout do
    {:ok, s} = GenServer.start_link(__MODULE__, [])
    {:timeout, {GenServer, :call, [^s, :never, 20]}} = catch_exit(fn -> GenServer.call(s, :never, 20) end)
    :timeout
  end

  defp catch_exit(f), do: (try do: f.(), catch: (:exit, why -> why))

  def child_spec, do: Enum.sort(Map.to_list(child_spec([1])))
end
