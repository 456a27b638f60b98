//! Functions that were written in Elixir: named and told of in its own words.

use crate::common::{refused, run};
use std::path::PathBuf;
use std::process::Command;

const SOURCE: &str = r##"defmodule Zoo.Animal do
  defstruct [:name, legs: 4]
  @type t :: %__MODULE__{name: String.t() | nil, legs: integer()}
end

defmodule Zoo.Escaped do
  defexception [:who]
  def message(%{who: who}), do: "#{who} has escaped"
end

defmodule Zoo do
  @spec pairs(Zoo.Animal.t()) :: pos_integer()
  def pairs(animal), do: div(animal.legs, 2)

  @spec find(%{optional(atom()) => integer()}) :: integer()
  def find(map), do: Map.fetch!(map, :lion)

  @spec open(boolean(), [integer()]) :: integer()
  def open(true, _), do: raise(Zoo.Escaped, who: "lion")
  def open(false, [first | _]), do: first

  @spec all([integer()], (integer() -> integer())) :: [integer()]
  def all(list, f), do: Enum.map(list, fn x -> 10 / f.(x) |> trunc() end)

  @spec shout(term()) :: atom()
  def shout({:ok, "quiet", ~c"please"}), do: exit({:loud, nil, ok?: true})
  def shout(_), do: :ok

  @spec strange(term()) :: :ok
  def strange(%{"a" => 1.5}), do: :erlang.error({:no, :such})
  def strange(_), do: :ok
end

defmodule :erlangish do
  @spec f(integer()) :: :ok
  def f(7), do: throw(nil)
  def f(_), do: :ok
end
"##;

fn compiled() -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("zoo.ex");
    std::fs::write(&source, SOURCE).expect("a file");
    let output = Command::new("elixirc").arg("-o").args([folder.path(), &source]).output().expect("elixirc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let beams = vec![folder.path().to_path_buf()];
    (folder, beams)
}

#[test]
fn people_read_elixir() {
    let (_folder, beams) = compiled();
    let (text, code) = run(&["test", "--max-runs", "100"], &beams);
    assert_eq!(code, 1, "{text}");
    for part in [
        ": Zoo.pairs/1 returns 0, which its specification does not allow",
        "    Zoo.pairs(%Zoo.Animal{legs: 0})\n    0\n",
        ": Zoo.find/1 raises (KeyError) key :lion not found in: %{}",
        "    Zoo.find(%{})\n    ** (KeyError) key :lion not found in: %{}\n",
        ": Zoo.open/2 raises (Zoo.Escaped) lion has escaped",
        "    Zoo.open(true, [])\n    ** (Zoo.Escaped) lion has escaped\n",
        "zoo.ex:19: Zoo.open/2\n",
        ": Zoo.open/2 raises (FunctionClauseError) no function clause matching in Zoo.open/2",
        "zoo.ex:19: Zoo.open(false, [])\n",
        "    Zoo.all([0], fn _ -> 0 end)\n    ** (ArithmeticError) bad argument in arithmetic expression",
        "    Zoo.shout({:ok, \"quiet\", ~c\"please\"})\n    ** (exit) {:loud, nil, [ok?: true]}\n",
        "    Zoo.strange(%{\"a\" => 1.5})\n    ** (ErlangError) Erlang error: {:no, :such}\n",
        "    :erlangish.f(7)\n    ** (throw) nil\n",
        "\nZoo.open/2: 2 findings; all paths explored",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn programs_read_elixir_too() {
    let (_folder, beams) = compiled();
    let (text, _) = run(&["test", "--format", "jsonl", "-f", "Zoo.open/2"], &beams);
    let bug: serde_json::Value = text.lines().next().and_then(|line| serde_json::from_str(line).ok()).expect("JSON");
    assert_eq!((&bug["function"], &bug["confirmed"]), (&"Zoo.open/2".into(), &true.into()), "{text}");
    assert_eq!(bug["stack"][0]["function"], "Zoo.open/2", "{text}");
    let (by_erlang, _) = run(&["test", "--format", "jsonl", "'Elixir.Zoo':open/2"], &beams);
    assert_eq!(text.lines().count(), by_erlang.lines().count());
}

#[test]
fn what_is_not_there_is_named_as_in_elixir() {
    let (_folder, beams) = compiled();
    let refusal = refused(&["test", "-f", "Zoo.close/2"], &beams);
    assert!(refusal.contains("there is no function Zoo.close/2; Zoo exports all/2, find/1, open/2"), "{refusal}");
    let refusal = refused(&["test", "-f", "Circus.open/2"], &beams);
    assert!(refusal.contains("the module of Circus.open/2 was not found"), "{refusal}");
}

/// A list of Elixir is a seed for functions of Elixir: texts are binaries there, and structs have their defaults.
#[test]
fn seeds_are_written_in_elixir() {
    let (_folder, beams) = compiled();
    let found = |function: &str, seed: &str| {
        let (text, _) = run(&["test", "--max-runs", "1", "--format", "jsonl", "-f", function, "--seed", seed], &beams);
        let first: serde_json::Value =
            text.lines().next().and_then(|line| serde_json::from_str(line).ok()).expect("JSON");
        first["call"].as_str().map(str::to_string)
    };
    assert_eq!(
        found("Zoo.shout/1", "[{:ok, \"quiet\", ~c\"please\"}]").as_deref(),
        Some("Zoo.shout({:ok, \"quiet\", ~c\"please\"})")
    );
    assert_eq!(found("Zoo.pairs/1", "[%Zoo.Animal{legs: 0}]").as_deref(), Some("Zoo.pairs(%Zoo.Animal{legs: 0})"));
    // Expressions are Erlang's.
    assert_eq!(
        found("Zoo.strange/1", "[maps:put(<<\"a\">>, 1.5, #{})]").as_deref(),
        Some("Zoo.strange(%{\"a\" => 1.5})")
    );
    assert_eq!(found("Zoo.strange/1", "[%{a: 1.5}]"), None);
    let refusal = refused(&["test", "-f", "Zoo.open/2", "--seed", "[nope("], &beams);
    assert!(refusal.contains("--seed [nope("), "{refusal}");
}

#[test]
fn exceptions_that_are_meant_are_written_in_elixir() {
    let (_folder, beams) = compiled();
    let bugs = |function: &str, expected: &str| {
        let (text, _) = run(&["test", "--format", "jsonl", "-f", function, "--expect", expected], &beams);
        text.lines().filter(|line| line.contains("\"type\":\"bug\"")).count()
    };
    assert_eq!(bugs("Zoo.open/2", "Zoo.open/2 Zoo.Escaped"), 1);
    assert_eq!(bugs("Zoo.open/2", "{:error, %Zoo.Escaped{who: \"lion\"}}"), 1);
    assert_eq!(bugs("Zoo.open/2", "Zoo.*.open/2 Zoo.Escaped"), 2, "another module");
    assert_eq!(bugs("Zoo.shout/1", ":exit {:loud, nil, [ok?: true]}"), 0);
    assert_eq!(bugs("Zoo.shout/1", ":exit {:loud, \"nil\", _}"), 1);
    let refusal = refused(&["test", "--expect", "Zoo.open/2 {:error"], &beams);
    assert!(refusal.contains("{:error is not a pattern"), "{refusal}");
}

/// In files, too: classes of JUnit, conditions and parameters on pages.
#[test]
fn reports_are_written_in_elixir() {
    let (folder, beams) = compiled();
    let (junit, pages) = (folder.path().join("zoo.xml"), folder.path().join("pages"));
    let output = format!("junit={}", junit.display());
    let args = ["test", "-q", "--max-runs", "50", "--output", &output, "--html", &pages.display().to_string()];
    assert_eq!(run(&args, &beams).1, 1);
    let junit = std::fs::read_to_string(junit).expect("a report");
    assert!(
        junit.contains("<testsuite name=\"Zoo\"") && junit.contains("name=\"open/2\" classname=\"Zoo\""),
        "{junit}"
    );
    let page = std::fs::read_to_string(pages.join("modules/Zoo.html")).expect("a page");
    for part in ["Module Zoo<", "x2 is [_ | _]", "x1 === true", "is_map_key(map, :lion)"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for part in ["Elixir.", "=:=", "=/=", "X1"] {
        assert!(!page.contains(part), "{part}: {page}");
    }
}
