# Tasks compute elsewhere; their results and their ends come back to who awaits them.
#! awaited()              ==> 2
#! many()                 ==> [1,4,9,16]
#! crash_takes_us_along() ==> broken
#! crash_trapped()        ==> {exit,<<"bug">>}
#! timeout()              ==> {timeout,nil}
#! yielded()              ==> {nil,{ok,went}}
#! yield_many()           ==> [{ok,1},nil]
#! stream()               ==> [{ok,30},{ok,10},{ok,20}]
#! stream_unordered()     ==> [{ok,2},{ok,3},{ok,4},{ok,5},{ok,6},{ok,7}]
#! stream_with_timeout()  ==> [{ok,1},{exit,timeout},{ok,3}]
#! shutdown()             ==> {nil,false}
#! completed()            ==> known
#! not_ours()             ==> {true,1}
defmodule Tasks do
  def awaited, do: Task.await(Task.async(fn -> 1 + 1 end))
  def many, do: Task.await_many(for k <- 1..4, do: Task.async(fn -> k * k end))

  def crash_takes_us_along do
    {_, ref} = spawn_monitor(fn -> Task.await(Task.async(fn -> exit(:broken) end)) end)

    receive do
      {:DOWN, ^ref, _, _, why} -> why
    end
  end

  def crash_trapped do
    Process.flag(:trap_exit, true)
    task = Task.async(fn -> raise "bug" end)
    awaited = try do: Task.await(task), catch: (:exit, {{error, [_ | _]}, {Task, :await, _}} -> {:exit, Exception.message(error)})

    receive do
      {:EXIT, pid, {%RuntimeError{}, _}} when pid == task.pid -> awaited
    end
  end

  def timeout do
    task = Task.async(fn -> Process.sleep(:infinity) end)
    caught = try do: Task.await(task, 20), catch: (:exit, {:timeout, {Task, :await, [_, 20]}} -> :timeout)
    {caught, Task.shutdown(task, :brutal_kill)}
  end

  def yielded do
    task = Task.async(fn -> receive do: (:go -> :went) end)
    first = Task.yield(task, 10)
    send(task.pid, :go)
    {first, Task.yield(task, 1000)}
  end

  def yield_many do
    tasks = [Task.async(fn -> 1 end), Task.async(fn -> Process.sleep(:infinity) end)]
    for {task, result} <- Task.yield_many(tasks, 60), do: result || Task.shutdown(task, :brutal_kill)
  end

  def stream, do: Enum.to_list(Task.async_stream([3, 1, 2], fn k -> k * 10 end, max_concurrency: 2))

  def stream_unordered do
    Enum.sort(Task.async_stream(1..6, &(&1 + 1), ordered: false, max_concurrency: 3))
  end

  def stream_with_timeout do
    f = fn
      2 -> Process.sleep(:infinity)
      k -> k
    end

    Enum.to_list(Task.async_stream([1, 2, 3], f, timeout: 60, on_timeout: :kill_task))
  end

  def shutdown do
    task = Task.async(fn -> Process.sleep(:infinity) end)
    {Task.shutdown(task), Process.alive?(task.pid)}
  end

  def completed, do: Task.await(Task.completed(:known))

  def not_ours do
    task = Task.async(fn -> 1 end)
    me = self()
    spawn(fn -> send(me, try(do: Task.await(task), rescue: (e in ArgumentError -> {:refused, is_binary(e.message)}))) end)

    receive do
      {:refused, yes} -> {yes, Task.await(task)}
    end
  end
end
