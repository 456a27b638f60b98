//! `--emit-tests`, with the tools that run the tests: they fail with the bugs, and pass when these are mended.

use crate::common::{beagle, refused};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A project in a folder of its own.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let project = Project { folder: tempfile::tempdir().expect("a folder") };
        files.iter().for_each(|(file, text)| project.write(file, text));
        project
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn run(&self, program: &str, args: &[&str]) -> Output {
        let mut command = Command::new(program);
        // Nobody is asked for anything that is not here.
        command.args(args).current_dir(self.folder.path()).env("HEX_OFFLINE", "1").env("MIX_ENV", "test");
        command.env("HOME", self.folder.path()).env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
        command.output().unwrap_or_else(|error| panic!("{program}: {error}"))
    }

    fn emit(&self, options: &[&str]) -> Output {
        let folder = self.path("test").display().to_string();
        let args = ["test", "--max-runs", "60", "--steps", "100000", "--emit-tests", &folder];
        beagle(&[&args, options].concat(), &[self.folder.path().to_path_buf()])
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

const REBAR: [(&str, &str); 2] = [
    ("rebar.config", "{erl_opts, [debug_info, warnings_as_errors]}.\n"),
    ("src/shop.app.src", "{application, shop, [{vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n"),
];

const SHOP: &str = r#"-module(shop).
-export([price/1, discount/2, countdown/1, average/2, grow/1, made/1, wait/1, label/1]).
-type tree() :: leaf | {tree(), integer(), tree()}.

-spec price(atom()) -> integer().
price(Item) when Item =:= tea; Item =:= coffee -> 3.

-spec discount(integer(), integer()) -> non_neg_integer().
discount(Price, Minus) -> Price - Minus.

-spec countdown(integer()) -> done.
countdown(0) -> done;
countdown(N) -> countdown(N - 1).

-spec average(fun((pos_integer()) -> integer()), integer()) -> integer().
average(F, N) -> F(N).

-spec grow(integer()) -> tree().
grow(7) -> {leaf, seven, leaf};
grow(N) -> {leaf, N, leaf}.

-spec made(integer()) -> fun((integer()) -> integer()).
made(N) -> fun(M) -> 10 div (M - N) end.

-spec wait(boolean()) -> ok.
wait(true) -> receive never -> ok end;
wait(false) -> ok.

-spec label(#{id := integer()}) -> [{atom(), integer()}, ...].
label(#{id := Id}) when Id > 5 -> [{id, Id} | Id];
label(#{id := Id}) -> [{id, Id}].
"#;

const MENDED_SHOP: &str = r#"-module(shop).
-export([price/1, discount/2, countdown/1, average/2, grow/1, made/1, wait/1, label/1]).
-type tree() :: leaf | {tree(), integer(), tree()}.

-spec price(atom()) -> integer().
price(_) -> 3.

-spec discount(integer(), integer()) -> non_neg_integer().
discount(Price, Minus) -> max(0, Price - Minus).

-spec countdown(integer()) -> done.
countdown(N) when N =< 0 -> done;
countdown(N) -> countdown(N - 1).

-spec average(fun((pos_integer()) -> integer()), integer()) -> integer().
average(F, N) -> F(abs(N) + 1).

-spec grow(integer()) -> tree().
grow(N) -> {leaf, N, leaf}.

-spec made(integer()) -> fun((integer()) -> integer()).
made(N) -> fun(N1) when N1 =:= N -> 0; (M) -> 10 div (M - N) end.

-spec wait(boolean()) -> ok.
wait(_) -> ok.

-spec label(#{id := integer()}) -> [{atom(), integer()}, ...].
label(#{id := Id}) -> [{id, Id}].
"#;

const SHOP_TESTS: &str = "test/shop_beagle_tests.erl";

#[test]
fn eunit_tests_fail_with_the_bugs_and_pass_without() {
    let project = Project::new(&[&REBAR[..], &[("src/shop.erl", SHOP)]].concat());
    let output = project.emit(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("shop_beagle_tests.erl: 8 new tests"), "{}", said(&output));
    let tests = project.read(SHOP_TESTS);
    for part in [
        "price_1_raises_function_clause_test() ->\n    shop:price(",
        "    ?assert(is_integer(Result) andalso Result >= 0).",
        "countdown_1_does_not_end_test_() ->",
        "average_2_misuses_a_function_test() ->",
        // The type is recursive: all that is said is that this must not come back.
        "    ?assertNotEqual({leaf,seven,leaf}, shop:grow(7)).",
        "made_1_raises_badarith_test() ->\n    (shop:made(",
        "wait_1_waits_for_ever_test_() ->",
    ] {
        assert!(tests.contains(part), "{part}: {tests}");
    }

    // The same findings make the same file; what is there is not written again.
    assert!(!said(&project.emit(&[])).contains("new test"));
    assert_eq!(project.read(SHOP_TESTS), tests);
    fs::remove_file(project.path(SHOP_TESTS)).expect("a file to remove");
    project.emit(&["-j", "1"]);
    assert_eq!(project.read(SHOP_TESTS), tests);

    let failed = project.run("rebar3", &["eunit"]);
    assert!(!failed.status.success());
    assert!(said(&failed).contains("8 tests, 8 failures"), "{}", said(&failed));

    project.write("src/shop.erl", MENDED_SHOP);
    let passed = project.run("rebar3", &["eunit"]);
    assert!(passed.status.success() && said(&passed).contains("8 tests, 0 failures"), "{}", said(&passed));
}

#[test]
fn a_file_is_only_ever_added_to() {
    let project = Project::new(&[&REBAR[..], &[("src/shop.erl", SHOP)]].concat());
    project.emit(&["-f", "shop:discount/2"]);
    let own = project.read(SHOP_TESTS).replace("Result >= 0", "Result >= -1000")
        + "\n%% mine\nown_test() -> 3 = shop:price(tea).\n";
    project.write(SHOP_TESTS, &own);
    project.emit(&["-f", "shop:discount/2", "-f", "shop:price/1"]);
    let both = project.read(SHOP_TESTS);
    assert!(both.starts_with(&own), "{both}");
    assert_eq!(both.matches("beagle:").count(), own.matches("beagle:").count() + 1, "{both}");
    // Who leaves the id of a test that is deleted does not get it back.
    let ids: String =
        own.lines().filter(|line| line.starts_with("%% beagle:")).map(|line| format!("{line}\n")).collect();
    project.write(SHOP_TESTS, &ids);
    project.emit(&["-f", "shop:discount/2"]);
    assert_eq!(project.read(SHOP_TESTS), ids);
}

#[test]
fn paths_are_tests_of_what_the_function_does() {
    let source = "-module(paths).\n-export([f/1, g/2, h/1]).\n\
                  -spec f(integer()) -> {small | large, float()} | map().\n\
                  f(0) -> #{0 => <<\"\\\"none\\\"\">>};\nf(N) when N < 1000 -> {small, N / 2};\nf(_) -> {large, 1.0e30}.\n\
                  g(a, F) -> F(1);\ng(b, _) -> throw({no, #{}}).\n\
                  -spec h(boolean()) -> pid() | ok.\nh(true) -> self();\nh(false) -> ok.\n";
    let project = Project::new(&[&REBAR[..], &[("src/paths.erl", source)]].concat());
    let output = project.emit(&["--all", "--emit-tests-for", "paths"]);
    let tests = project.read("test/paths_beagle_tests.erl");
    assert!(tests.contains("?assertEqual(#{0 => <<\"\\\"none\\\"\">>}, paths:f(0))"), "{tests}");
    assert!(tests.contains("?assertError(function_clause, paths:g("), "{tests}");
    // A process has no name that will be its own again.
    assert!(tests.contains("() ->\n    paths:h(true)."), "{tests}");
    assert!(tests.contains("?assertError({badarity,{_,[1]}}, paths:g(a, fun() -> "), "{tests}");
    let bugs = tests.matches("_throws_no_test").count() + tests.matches("_raises_badfun_test").count();
    assert_eq!((bugs, output.status.code()), (2, Some(1)), "{tests}");
    assert!(tests.contains("f_1_raises_badarith_test"), "an integer is too large for a float: {tests}");
    let run = project.run("rebar3", &["eunit"]);
    let count = tests.matches("%% beagle:").count();
    assert!(count > 6 && said(&run).contains(&format!("{count} tests, 3 failures")), "{count}: {}{tests}", said(&run));
}

const MIX: &str = "defmodule Shop.MixProject do\n  use Mix.Project\n  def project, do: [app: :shop, version: \"0.1.0\"]\n  \
                   def application, do: []\nend\n";

const STOCK: &str = r##"defmodule Shop.Item do
  defstruct [:name, price: 0]
  @type t :: %__MODULE__{name: String.t(), price: integer()}
end

defmodule Shop.Stock do
  @spec total(Shop.Item.t(), integer()) :: non_neg_integer()
  def total(item, count), do: item.price * count

  @spec each(Shop.Item.t(), non_neg_integer()) :: integer()
  def each(item, count), do: div(item.price, count)

  @spec find(%{optional(atom()) => integer()}) :: integer()
  def find(map), do: Map.fetch!(map, :key)

  @spec twice((integer() -> integer()), integer()) :: integer()
  def twice(f, x) do
    case f.(f.(x)) do
      42 -> throw(:answer)
      other -> other
    end
  end

  @spec greet(String.t()) :: String.t()
  def greet("\#{" <> rest), do: raise(ArgumentError, rest)
  def greet(text), do: text

  @spec spin(integer()) :: :ok
  def spin(13), do: spin(13)
  def spin(_), do: :ok
end
"##;

const MENDED_STOCK: &str = r#"defmodule Shop.Item do
  defstruct [:name, price: 0]
  @type t :: %__MODULE__{name: String.t(), price: integer()}
end

defmodule Shop.Stock do
  @spec total(Shop.Item.t(), integer()) :: non_neg_integer()
  def total(item, count), do: max(item.price * count, 0)

  @spec each(Shop.Item.t(), non_neg_integer()) :: integer()
  def each(_item, 0), do: 0
  def each(item, count), do: div(item.price, count)

  @spec find(%{optional(atom()) => integer()}) :: integer()
  def find(map), do: Map.get(map, :key, 0)

  @spec twice((integer() -> integer()), integer()) :: integer()
  def twice(f, x), do: f.(f.(x))

  @spec greet(String.t()) :: String.t()
  def greet(text), do: text

  @spec spin(integer()) :: :ok
  def spin(_), do: :ok
end
"#;

const STORED: &str = r#"-module(stored).
-export([prepare/0, price/1, name/1]).
-beagle({setup, prepare/0}).
-spec prepare() -> ok.
prepare() -> stored = ets:new(stored, [named_table]), true = ets:insert(stored, {1, 7}), ok.
-spec price(1..2) -> integer() | {error, term()}.
price(Id) -> [{_, Price}] = ets:lookup(stored, Id), Price.
-spec name(1..2) -> integer() | {error, term()}.
name(Id) -> ets:lookup_element(stored, Id, 2).
"#;

/// Each test makes the table anew, so the table of the one before must be gone.
#[test]
fn tests_call_the_setups_of_their_functions() {
    let project = Project::new(&[&REBAR[..], &[("src/stored.erl", STORED)]].concat());
    let output = project.emit(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let tests = project.read("test/stored_beagle_tests.erl");
    for call in ["stored:price(2)", "stored:name(2)"] {
        let part =
            format!("_test_() ->\n    {{spawn, fun() ->\n        stored:prepare(),\n        {call}\n    end}}.\n");
        assert!(tests.contains(&part), "{part}: {tests}");
    }
    let failed = project.run("rebar3", &["eunit"]);
    assert!(said(&failed).contains("2 tests, 2 failures"), "{}{tests}", said(&failed));
    let mended = STORED.replace("{1, 7}", "[{1, 7}, {2, 8}]");
    project.write("src/stored.erl", &mended);
    // rebar3 compares times by the second.
    fs::remove_dir_all(project.path("_build/test")).expect("a build to remove");
    let passed = project.run("rebar3", &["eunit"]);
    assert!(passed.status.success() && said(&passed).contains("2 tests, 0 failures"), "{}{tests}", said(&passed));
}

#[test]
fn exunit_tests_fail_with_the_bugs_and_pass_without() {
    let project =
        Project::new(&[("mix.exs", MIX), ("lib/stock.ex", STOCK), ("test/test_helper.exs", "ExUnit.start()\n")]);
    let built = project.run("mix", &["compile"]);
    assert!(built.status.success(), "{}", said(&built));
    let output = project.emit(&["--emit-tests-for", "paths"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let file = "test/shop/stock_beagle_test.exs";
    let tests = project.read(file);
    for part in [
        "defmodule Shop.StockBeagleTest do\n  use ExUnit.Case\n",
        "  test \"each/2 raises ArithmeticError\" do\n    Shop.Stock.each(%Shop.Item{name: \"\"}, 0)\n  end\n",
        "  test \"total/2 breaks its spec\" do\n    result = Shop.Stock.total(%Shop.Item{",
        "    assert is_integer(result) and result >= 0\n",
        "  test \"find/1 raises KeyError\" do\n    Shop.Stock.find(%{})\n",
        "  test \"twice/2 throws answer\" do\n    Shop.Stock.twice(fn _ -> 42 end, 42)\n",
        "    Shop.Stock.greet(\"\\#{\")\n",
        "  @tag timeout: 5_000\n  test \"spin/1 does not end\" do\n",
    ] {
        assert!(tests.contains(part), "{part}: {tests}");
    }
    let count = tests.matches("  # beagle:").count();
    assert!(count > 9, "{tests}");
    let failed = project.run("mix", &["test", "--warnings-as-errors"]);
    assert!(said(&failed).contains(&format!("{count} tests, 6 failures")), "{count}: {}{tests}", said(&failed));

    project.write(file, &tests.replace("greet(\"\\#{\")", "greet(\"my own\")"));
    project.write("lib/stock.ex", MENDED_STOCK);
    let passed = project.run("mix", &["test", "--warnings-as-errors"]);
    assert!(
        passed.status.success() && said(&passed).contains(&format!("{count} tests, 0 failures")),
        "{}{tests}",
        said(&passed)
    );
    // It speaks of what was built: of the mended program there is nothing to add, and what was changed stays.
    let again = project.emit(&[]);
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
    assert!(project.read(file).contains("greet(\"my own\")"));
}

#[test]
fn what_cannot_be_written_is_said_before_anything_is_tested() {
    let toy = [Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/toy.erl")];
    let refusal = refused(&["test", "--emit-tests", "/dev/null/folder"], &toy);
    assert!(refusal.contains("--emit-tests /dev/null/folder: the folder cannot be made"), "{refusal}");
    let refusal = refused(&["test", "--emit-tests", "/proc"], &toy);
    assert!(refusal.contains("--emit-tests: /proc") && refusal.contains("cannot be written"), "{refusal}");
    let refusal = refused(&["test", "--emit-tests", "x", "--no-confirm"], &toy);
    assert!(refusal.contains("cannot be used with"), "{refusal}");
    let refusal = refused(&["test", "--emit-tests-for", "paths"], &toy);
    assert!(refusal.contains("--emit-tests <DIR>"), "{refusal}");
}

/// Says of each test whether it fails.
const RUNNER: &str = "#!/usr/bin/env escript
main([Folder]) ->
    true = code:add_patha(Folder),
    Files = filelib:wildcard(Folder ++ \"/*_beagle_tests.beam\"),
    [run(list_to_atom(filename:basename(File, \".beam\"))) || File <- Files].

run(Module) ->
    {module, Module} = code:load_file(Module),
    [io:format(\"~s ~s ~s~n\", [Module, Test, outcome(Module, Test)])
     || {Test, 0} <- Module:module_info(exports), Test =/= test, Test =/= module_info].

%% In a process of its own, as some leave messages behind.
outcome(Module, Test) ->
    {_, Monitor} = spawn_monitor(fun() ->
        exit(try called(Module:Test()) of _ -> passes catch _:_ -> fails end)
    end),
    receive {'DOWN', Monitor, process, _, Outcome} -> Outcome after 20000 -> fails end.

called({timeout, _, Test}) when is_function(Test, 0) -> Test();
called({spawn, Test}) when is_function(Test, 0) -> Test();
called(Result) -> Result.
";

fn sources(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = folders.iter().flat_map(|folder| fs::read_dir(root.join(folder)).expect("a folder"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "erl"));
    files.sort();
    files
}

/// Programs that were written for other tests: each test of a bug fails, each of a path passes.
#[test]
fn tests_of_many_programs_say_what_is_so() {
    let project = Project::new(&[("run.escript", RUNNER)]);
    let files = sources(&["examples", "cases/found/functions", "cases/found/types"]);
    let folder = project.folder.path().display().to_string();
    let limits = ["--all", "--max-runs", "25", "--budget", "5s", "--steps", "100000"];
    beagle(&[&["test", "-q", "--emit-tests", &folder, "--emit-tests-for", "paths"], &limits[..]].concat(), &files);
    let tests = fs::read_dir(project.folder.path()).expect("a folder").map(|entry| entry.expect("a file").path());
    let tests: Vec<String> = tests
        .filter(|file| file.extension().is_some_and(|extension| extension == "erl"))
        .map(|file| file.display().to_string())
        .collect();
    assert!(tests.len() > 20, "{tests:?}");
    for (options, files) in
        [("-Werror", tests), ("-W0", files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>())]
    {
        let args: Vec<&str> = [options].into_iter().chain(files.iter().map(String::as_str)).collect();
        let compiled = project.run("erlc", &args);
        assert!(compiled.status.success(), "{}", said(&compiled));
    }
    let ran = project.run("escript", &["run.escript", "."]);
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    let outcomes: Vec<&str> = stdout.lines().filter(|line| line.contains("_beagle_tests ")).collect();
    let (mut bugs, mut paths) = (0, 0);
    for line in outcomes {
        let is_path = line.contains("_path_returns") || line.contains("_path_raises");
        assert!(line.ends_with(if is_path { " passes" } else { " fails" }), "{line}");
        *(if is_path { &mut paths } else { &mut bugs }) += 1;
    }
    assert!(bugs > 50 && paths > 200, "{bugs} {paths}: {}", said(&ran));
}

/// Likewise in Elixir, of functions that every Elixir has.
#[test]
fn tests_of_elixirs_own_functions_say_what_is_so() {
    let project = Project::new(&[]);
    let folder = project.path("tests").display().to_string();
    let mut args =
        vec!["test", "--fail-on", "all", "-q", "--max-runs", "25", "--budget", "5s", "--emit-tests", &folder];
    args.extend(["--emit-tests-for", "paths"]);
    for function in [
        "Integer.digits/2", "Keyword.merge/2", "List.foldl/3", "Map.update/4", "Range.new/2", "Date.new/3",
        "Enum.map/2",
    ] {
        args.extend(["-f", function]);
    }
    // Without any file: these are found by themselves.
    let emitted = Command::new(env!("CARGO_BIN_EXE_beagle")).args(&args).current_dir(project.folder.path()).output();
    let emitted = emitted.expect("beagle can be started");
    assert_eq!(emitted.status.code(), Some(1), "{}", said(&emitted));
    let files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "exs"))
        .collect();
    let texts: String = files.iter().map(|file| fs::read_to_string(file).expect("a file")).collect();
    let all = texts.matches("\n  test \"").count();
    let paths = texts.matches(" on a path").count();
    let mut args = vec!["-e".to_string(), "ExUnit.start(colors: [enabled: false])".to_string()];
    args.extend(files.iter().flat_map(|file| ["-r".to_string(), file.display().to_string()]));
    let ran = project.run("elixir", &args.iter().map(String::as_str).collect::<Vec<_>>());
    let counted = format!("{all} tests, {} failures", all - paths);
    assert!(all - paths > 2 && paths > 20, "{texts}");
    assert!(said(&ran).contains(&counted) && !said(&ran).contains("warning:"), "{counted}: {}", said(&ran));
    assert!(!said(&ran).contains("on a path"), "{}", said(&ran));
}
