//! `beagle test` in projects as their own tools make them: nothing is fetched, everything lies in a folder of its own.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of files that is made anew.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, files: &[(&str, &str)]) -> Scratch {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects").join(name);
        let _ = fs::remove_dir_all(&folder);
        let scratch = Scratch(folder);
        fs::create_dir_all(&scratch.0).expect("a folder");
        files.iter().for_each(|(file, text)| scratch.write(file, text));
        scratch
    }

    fn write(&self, file: &str, text: &str) {
        let file = self.0.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect(file)
    }

    fn tool(&self, program: &str, args: &[&str]) {
        let output = Command::new(program).args(args).current_dir(&self.0).output().expect(program);
        assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn test_in(&self, folder: &str, args: &[&str]) -> Ended {
        self.command_in(folder, &[&["test"], args].concat())
    }

    fn command_in(&self, folder: &str, args: &[&str]) -> Ended {
        let output = Command::new(env!("CARGO_BIN_EXE_beagle"))
            .args(args)
            .current_dir(self.0.join(folder))
            .env("BEAGLE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
            .env_remove("MIX_ENV")
            .output()
            .expect("beagle can be started");
        Ended::of(&output)
    }

    fn test(&self, args: &[&str]) -> Ended {
        self.test_in("", args)
    }

    /// The functions that are chosen.
    fn list(&self, args: &[&str]) -> Vec<String> {
        let ended = self.test(&[&["--list"], args].concat());
        assert_eq!(ended.code, 0, "{}", ended.said);
        ended.told.lines().map(str::to_string).collect()
    }

    /// What is said of a use that is wrong.
    fn refused(&self, args: &[&str]) -> String {
        let ended = self.test(args);
        assert_eq!(ended.code, 2, "{}{}", ended.told, ended.said);
        assert!(!ended.said.contains("panicked"), "{}", ended.said);
        ended.said
    }
}

struct Ended {
    told: String,
    said: String,
    code: i32,
}

impl Ended {
    fn of(output: &Output) -> Ended {
        Ended {
            told: String::from_utf8_lossy(&output.stdout).into_owned(),
            said: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }

    fn objects(&self, kind: &str) -> Vec<Value> {
        let lines = self.told.lines().map(|line| serde_json::from_str::<Value>(line).expect("one JSON object a line"));
        lines.filter(|object| object["type"] == kind).collect()
    }

    /// Functions and the reasons of their bugs.
    fn bugs(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let mut bugs: Vec<_> =
            self.objects("bug").iter().map(|bug| (text(&bug["function"]), text(&bug["reason"]))).collect();
        bugs.sort();
        bugs
    }
}

fn bug(function: &str, reason: &str) -> (String, String) {
    (function.to_string(), reason.to_string())
}

const APP: &str =
    "{application, shop, [{description, \"\"}, {vsn, \"1\"}, {modules, []}, {applications, [kernel, stdlib]}]}.";
/// The price is wrong for one number, which only the header and the options of the project tell.
const SHOP: &str = "-module(shop).\n-export([price/1, helper/1]).\n-include(\"shop.hrl\").\n\
    -spec price(integer()) -> integer().\nprice(?WRONG + ?MORE) -> error(wrong_price);\nprice(N) -> N.\nhelper(_) -> ok.\n";
const SHOP_TESTS: &str =
    "-module(shop_tests).\n-export([price_test/0]).\n-spec price_test() -> ok.\nprice_test() -> ok.\n";

fn shop(name: &str) -> Scratch {
    Scratch::new(
        name,
        &[
            ("rebar.config", "{erl_opts, [debug_info, {d, 'MORE', 7}]}.\n"),
            ("src/shop.app.src", APP),
            ("include/shop.hrl", "-define(WRONG, 4000).\n"),
            ("src/shop.erl", SHOP),
            ("test/shop_tests.erl", SHOP_TESTS),
        ],
    )
}

#[test]
fn an_application_of_rebar3_is_built_and_tested_from_any_folder_of_it() {
    let shop = shop("single");
    fs::create_dir_all(shop.0.join("src/deep/er")).expect("a folder");
    let ended = shop.test_in("src/deep/er", &["--format", "jsonl"]);
    assert!(ended.said.contains("building with `rebar3 compile`"), "{}", ended.said);
    assert_eq!((ended.bugs(), ended.code), (vec![bug("shop:price/1", "wrong_price")], 1), "{}", ended.said);
    assert_eq!(ended.objects("bug")[0]["args"][0], "4007");
    assert_eq!(ended.objects("function").len(), 1, "neither tests nor what has no -spec: {}", ended.told);

    let again = shop.test(&["--format", "jsonl"]);
    assert!(!again.said.contains("building"), "nothing has changed: {}", again.said);
    assert_eq!(again.bugs(), ended.bugs());

    shop.write("src/shop.erl", &SHOP.replace("error(wrong_price)", "error(wronger_price)"));
    let unbuilt = shop.test(&["--format", "jsonl", "--no-build"]);
    assert!(!unbuilt.said.contains("building"), "{}", unbuilt.said);
    assert_eq!(unbuilt.bugs(), [bug("shop:price/1", "wronger_price")], "the source is newer: {}", unbuilt.said);
    let built = shop.test(&["--format", "jsonl", "--profile", "test"]);
    assert!(built.said.contains("rebar3 as test compile"), "{}", built.said);
    assert_eq!(built.bugs(), unbuilt.bugs());
    assert!(shop.refused(&["--profile", "../../etc"]).contains("is no name of a profile"));
}

#[test]
fn what_is_compiled_without_debug_info_is_compiled_from_its_source() {
    let shop = shop("stripped");
    shop.write("rebar.config", "{erl_opts, [no_debug_info, {debug_info, false}, {d, 'MORE', 7}]}.\n");
    shop.tool("rebar3", &["compile"]);
    shop.tool(
        "erl",
        &["-noshell", "-eval", "{ok, _} = beam_lib:strip_files([\"_build/default/lib/shop/ebin/shop.beam\"]), halt()."],
    );
    let ended = shop.test(&["--format", "jsonl"]);
    assert!(
        ended.said.contains("was compiled without debug_info") && ended.said.contains("src/shop.erl"),
        "{}",
        ended.said
    );
    assert_eq!(ended.bugs(), [bug("shop:price/1", "wrong_price")], "{}", ended.said);
}

/// Without a build, because a dependency cannot be fetched, sources are compiled as the project would compile them.
#[test]
fn the_projects_transforms_and_macros_are_used_without_a_build() {
    let transform = "-module(other).\n-export([parse_transform/2]).\nparse_transform(Forms, _) -> changed(Forms).\n\
        changed({integer, L, 42}) -> {integer, L, 43};\nchanged(T) when is_tuple(T) -> list_to_tuple(changed(tuple_to_list(T)));\n\
        changed([H | T]) -> [changed(H) | changed(T)];\nchanged(T) -> T.\n";
    let source =
        "-module(made).\n-export([f/1]).\n-spec f(integer()) -> atom().\nf(42) -> error(?REASON);\nf(_) -> ok.\n";
    let made = Scratch::new(
        "transformed",
        &[
            (
                "rebar.config",
                "{erl_opts, [{parse_transform, other}, {d, 'REASON', no_good}]}.\n{deps, [no_such_dependency]}.\n",
            ),
            ("src/shop.app.src", APP),
            ("src/other.erl", transform),
            ("src/made.erl", source),
        ],
    );
    let ended = made.test(&["--format", "jsonl"]);
    assert!(ended.said.contains("`rebar3 compile` failed"), "{}", ended.said);
    assert_eq!(ended.bugs(), [bug("made:f/1", "no_good")], "{}", ended.said);
    assert_eq!(ended.objects("bug")[0]["args"][0], "43");
}

#[test]
fn the_applications_of_an_umbrella_are_tested_and_its_dependencies_are_not() {
    let umbrella = Scratch::new(
        "umbrella",
        &[
            ("rebar.config", "{erl_opts, [debug_info]}.\n{deps, [third]}.\n"),
            ("apps/one/src/one.app.src", &APP.replace("shop", "one")),
            ("apps/one/include/one.hrl", "-define(SECRET, 99).\n"),
            (
                "apps/one/src/one.erl",
                "-module(one).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(5) -> error(one);\nf(_) -> ok.\n",
            ),
            ("apps/two/src/two.app.src", &APP.replace("shop", "two")),
            (
                "apps/two/src/two.erl",
                "-module(two).\n-export([g/1]).\n-include_lib(\"one/include/one.hrl\").\n-spec g(integer()) -> ok.\n\
             g(?SECRET) -> third:h(two);\ng(_) -> ok.\n",
            ),
            ("_checkouts/third/src/third.app.src", &APP.replace("shop", "third")),
            (
                "_checkouts/third/src/third.erl",
                "-module(third).\n-export([h/1]).\n-spec h(any()) -> ok.\nh(X) -> error(X).\n",
            ),
        ],
    );
    let ended = umbrella.test_in("apps/two/src", &["--format", "jsonl"]);
    assert_eq!(ended.bugs(), [bug("one:f/1", "one"), bug("two:g/1", "two")], "{}", ended.said);
    assert_eq!(ended.objects("function").len(), 2, "a dependency is not tested: {}", ended.told);
    assert_eq!(umbrella.list(&["apps/two"]), ["two:g/1"], "a part of the project");
    assert_eq!(umbrella.list(&["apps/one/src/one.erl"]), ["one:f/1"]);
}

#[test]
fn a_module_that_does_not_compile_does_not_stop_the_others() {
    let shop = shop("broken");
    shop.write("src/aaa_broken.erl", "-module(aaa_broken).\n-export([f/0]).\n-spec f() -> ok.\nf() -> X.\n");
    let ended = shop.test(&["--format", "jsonl"]);
    assert!(ended.said.contains("`rebar3 compile` failed"), "{}", ended.said);
    assert!(ended.said.contains("aaa_broken.erl:4"), "{}", ended.said);
    assert_eq!((ended.bugs(), ended.code), (vec![bug("shop:price/1", "wrong_price")], 1), "{}", ended.said);
    assert_eq!(ended.objects("summary")[0]["unreadable"], 1);
}

#[test]
fn a_project_that_cannot_be_written_to_is_tested_all_the_same() {
    let shop = shop("read_only");
    shop.write("_build", "This is no folder.");
    let ended = shop.test(&["--format", "jsonl"]);
    assert!(ended.said.contains("`rebar3 compile` failed"), "{}", ended.said);
    assert_eq!(ended.bugs(), [bug("shop:price/1", "wrong_price")], "{}", ended.said);

    // The administrator may write everywhere; everybody else is refused here.
    fs::remove_file(shop.0.join("_build")).expect("removed");
    let set = |mode: &str| shop.tool("chmod", &["-R", mode, "."]);
    set("a-w");
    let ended = shop.test(&["--format", "jsonl"]);
    set("u+w");
    assert_eq!((ended.bugs(), ended.code), (vec![bug("shop:price/1", "wrong_price")], 1), "{}", ended.said);
}

const ELIXIR: &str = "defmodule Cart do\n  Module.register_attribute(__MODULE__, :beagle, persist: true, accumulate: true)\n  \
    @beagle {:expect, {{:add, 1}, [ArgumentError]}}\n  @spec add(integer()) :: :ok\n  def add(3), do: raise(ArgumentError, \"3\")\n  \
    def add(4), do: raise(\"four\")\n  def add(_), do: :ok\n  @spec shown(integer()) :: String.t()\n  def shown(n), do: \"#{n}\"\nend\n";

fn mix(app: &str, more: &str) -> String {
    format!(
        "defmodule {}.MixProject do\n  use Mix.Project\n  def project do\n    [\n      # app: :other\n      app: :{app},\n      \
         version: \"0.1.0\",{more}\n      deps: []\n    ]\n  end\nend\n",
        app[..1].to_uppercase() + &app[1..]
    )
}

#[test]
fn a_project_of_mix_is_built_and_tested() {
    let cart = Scratch::new("mix", &[("mix.exs", &mix("cart", "")), ("lib/cart.ex", ELIXIR), ("lib/deep/.keep", "")]);
    let ended = cart.test_in("lib/deep", &["--format", "jsonl", "--max-runs", "50"]);
    assert!(ended.said.contains("building with `mix compile`"), "{}", ended.said);
    let bugs = ended.bugs();
    assert_eq!(bugs.len(), 1, "{bugs:?} {}", ended.said);
    assert!(bugs[0].0 == "'Elixir.Cart':add/1" && bugs[0].1.contains("four"), "{bugs:?}");
    let add = ended.objects("function").into_iter().find(|function| function["function"] == "'Elixir.Cart':add/1");
    let add = add.expect("tested");
    assert_eq!((&add["expected"], &add["exhaustive"]), (&1.into(), &true.into()), "{add}");
    assert_eq!(cart.list(&["-f", "Cart:a*"]), ["'Elixir.Cart':add/1"]);
    assert_eq!(cart.list(&["lib/cart.ex", "--exclude", "Cart:shown"]), ["'Elixir.Cart':add/1"]);

    cart.write("lib/cart.ex", &ELIXIR.replace("raise(\"four\")", "raise("));
    let broken = cart.test(&["--format", "jsonl", "--max-runs", "50"]);
    assert!(broken.said.contains("`mix compile` failed") && broken.said.contains("lib/cart.ex"), "{}", broken.said);
}

#[test]
fn the_applications_of_an_umbrella_of_mix_are_tested() {
    let paths =
        "\n      build_path: \"../../_build\",\n      deps_path: \"../../deps\",\n      lockfile: \"../../mix.lock\",";
    let umbrella = Scratch::new(
        "mix_umbrella",
        &[
            ("mix.exs", &mix("all", "\n      apps_path: \"apps\",").replace("      app: :all,\n", "")),
            ("apps/first/mix.exs", &mix("first", paths)),
            (
                "apps/first/lib/first.ex",
                "defmodule First do\n  @spec f(integer()) :: :ok\n  def f(7), do: throw(:first)\n  def f(_), do: :ok\nend\n",
            ),
            ("apps/second/mix.exs", &mix("second", paths)),
            (
                "apps/second/src/second.erl",
                "-module(second).\n-export([g/1]).\n-spec g(integer()) -> ok.\ng(8) -> throw(second);\ng(_) -> ok.\n",
            ),
        ],
    );
    let ended = umbrella.test_in("apps/first/lib", &["--format", "jsonl"]);
    assert_eq!(ended.bugs(), [bug("'Elixir.First':f/1", "first"), bug("second:g/1", "second")], "{}", ended.said);
    let shown = umbrella.test(&["-f", "First:f/1"]);
    assert!(shown.told.contains("def f(7), do: throw(:first)"), "the source is found: {}", shown.told);
}

#[test]
fn plain_folders_are_projects_too() {
    let plain = Scratch::new(
        "plain",
        &[
            ("src/shop.erl", &SHOP.replace("?MORE", "1")),
            ("include/shop.hrl", "-define(WRONG, 4000).\n"),
            ("test/shop_tests.erl", SHOP_TESTS),
        ],
    );
    let ended = plain.test_in("include", &["--format", "jsonl"]);
    assert_eq!(ended.bugs(), [bug("shop:price/1", "wrong_price")], "{}", ended.said);
    assert_eq!(plain.list(&["--all"]), ["shop:price/1", "shop:helper/1"]);
    assert_eq!(plain.list(&["--module", "*_tests"]), ["shop_tests:price_test/0"]);
    assert_eq!(plain.list(&["test/shop_tests.erl"]), ["shop_tests:price_test/0"]);
}

#[test]
fn functions_are_chosen_by_name() {
    let source = "-module(names).\n-export([parse_a/1, parse_b/1, parse_b/2, other/1]).\n-spec parse_a(any()) -> ok.\n\
        parse_a(_) -> ok.\n-spec parse_b(any()) -> ok.\nparse_b(_) -> ok.\nparse_b(_, _) -> ok.\n\
        -spec other(any()) -> ok.\nother(_) -> ok.\n";
    let names = Scratch::new(
        "names",
        &[("src/names.erl", source), ("src/my_names.erl", &source.replace("(names)", "(my_names)"))],
    );
    assert_eq!(names.list(&["-f", "names:parse_*/1"]), ["names:parse_a/1", "names:parse_b/1"]);
    assert_eq!(names.list(&["-f", "*:parse_b/2"]), ["my_names:parse_b/2", "names:parse_b/2"]);
    assert_eq!(names.list(&["--module", "my_*"]).len(), 3);
    assert_eq!(names.list(&["--module", "my_*", "--all"]).len(), 4);
    assert_eq!(names.list(&["--exclude", "my_*", "--exclude", "names:parse_*"]), ["names:other/1"]);
    assert!(names.refused(&["-f", "names:nothing_*"]).contains("no exported function is called so"));
    assert!(names.refused(&["--module", "nothing_*"]).contains("there is no such module"));
    assert!(names.refused(&["--module", "names:f/1"]).contains("write -f"));
    assert!(names.refused(&["--exclude", "a b"]).contains("--exclude a b"));
    assert!(names.refused(&["--exclude", "*"]).contains("excluded"));
}

#[test]
fn what_has_changed_is_known_to_git() {
    let module = |name: &str, body: &str| {
        format!("-module({name}).\n-export([f/1]).\n-spec f(integer()) -> integer().\nf(X) -> {body}.\n")
    };
    let repository = Scratch::new(
        "changed",
        &[
            ("src/called.erl", &module("called", "X")),
            ("src/caller.erl", &module("caller", "called:f(X)")),
            ("src/apart.erl", &format!("-include(\"apart.hrl\").\n{}", module("apart", "X"))),
            ("src/apart.hrl", "-define(A, 1).\n"),
        ],
    );
    let git = |args: &[&str]| {
        repository.tool("git", &[&["-c", "user.name=n", "-c", "user.email=e@example.com"], args].concat());
    };
    git(&["init", "--quiet"]);
    git(&["add", "-A"]);
    git(&["commit", "--quiet", "-m", "First"]);
    let none = repository.test(&["--changed-since", "HEAD"]);
    assert_eq!((none.code, none.said.contains("has changed")), (0, true), "{}", none.said);
    repository.write("src/called.erl", &module("called", "X + 1"));
    assert_eq!(repository.list(&["--changed-since", "HEAD"]), ["called:f/1"], "not committed");
    git(&["commit", "--quiet", "-am", "Second"]);
    assert_eq!(repository.list(&["--changed-since", "HEAD~1"]), ["called:f/1"]);
    assert_eq!(repository.list(&["--changed-since", "HEAD~1", "--with-callers"]), ["called:f/1", "caller:f/1"]);
    repository.write("src/apart.hrl", "-define(A, 2).\n");
    repository.write("src/fresh.erl", &module("fresh", "X"));
    assert_eq!(repository.list(&["--changed-since", "HEAD"]), ["apart:f/1", "fresh:f/1"], "a header; a new file");
    assert!(repository.refused(&["--changed-since", "no_such_tag"]).contains("git knows no such revision"));
    assert!(repository.refused(&["--changed-since=--output=/tmp/x"]).contains("--changed-since"));
    assert!(repository.refused(&["--with-callers"]).contains("--changed-since"));
}

#[test]
fn the_command_line_comes_before_the_configuration() {
    let shop = shop("configured");
    shop.write(
        "rebar.config",
        "{erl_opts, [debug_info, {d, 'MORE', 7}]}.\n{beagle_opts, [{max_runs, 1}, all, {strategy, depth}]}.\n",
    );
    let runs = |args: &[&str]| {
        let ended = shop.test(&[&["--format", "jsonl", "-f", "shop:price/1"], args].concat());
        ended.objects("function").first().and_then(|function| function["runs"].as_u64()).unwrap_or_default()
    };
    assert_eq!(runs(&[]), 1, "rebar.config says one run");
    assert_eq!(shop.list(&[]), ["shop:price/1", "shop:helper/1"], "and all functions");
    shop.write("beagle.toml", "max_runs = 2\nexclude = [\"shop:helper/1\"]\n");
    assert_eq!(runs(&[]), 2, "beagle.toml comes before it");
    assert_eq!(shop.list(&[]), ["shop:price/1"]);
    assert_eq!(runs(&["--max-runs", "1"]), 1, "the command line comes before both");
    assert_eq!(runs(&["--no-config", "--max-runs", "9"]), 2, "all paths");
    assert_eq!(shop.test_in("src", &["--list"]).told, "shop:price/1\n", "from a folder below, too");
}

#[test]
fn configurations_that_make_no_sense_are_refused() {
    let shop = shop("hostile");
    let text = |text: &str, message: &str| {
        shop.write("beagle.toml", text);
        let said = shop.refused(&[]);
        assert!(said.contains("beagle.toml") && said.contains(message), "{text:?}: {said}");
    };
    text("\n\nmax_run = 3\n", "beagle.toml:3: there is no option \"max_run\"; is max_runs meant?");
    text("budget = 7", "budget: a text is meant, not a number");
    text("max_runs = 1e999", "max_runs");
    text("opaque = [\"shop:nothing\"]", "opaque");
    text("jobs = 99999999999999999999999999999999999999999", "jobs");
    text("expectations = [\"shop:price/1\"]", "expectations");
    text("exclude = [", "this is not TOML");
    fs::write(shop.0.join("beagle.toml"), [0xff, 0xfe, 0, 1, 2]).expect("written");
    assert!(shop.refused(&[]).contains("no text in UTF-8"));
    fs::remove_file(shop.0.join("beagle.toml")).expect("removed");
    shop.tool("ln", &["-s", "beagle.toml", "beagle.toml"]);
    assert!(shop.refused(&[]).contains("beagle.toml cannot be read"));
    fs::remove_file(shop.0.join("beagle.toml")).expect("removed");
    shop.tool("mkfifo", &["beagle.toml"]);
    assert!(shop.refused(&[]).contains("is no file that can be read"));
    fs::remove_file(shop.0.join("beagle.toml")).expect("removed");
    shop.write("beagle.toml", "seeds = [\"@/dev/zero\"]\n");
    assert!(shop.refused(&[]).contains("is no file that can be read"));
    fs::remove_file(shop.0.join("beagle.toml")).expect("removed");

    for (config, message) in [
        ("{beagle_opts, [{budgget, \"1s\"}]}.", "rebar.config:1: there is no option \"budgget\"; is budget meant?"),
        ("{a, b}.\n{beagle_opts, 7}.", "rebar.config:2: beagle_opts: 7 is no option"),
        ("{beagle_opts, [{jobs, \"many\"}]}.", "jobs: a number is meant, not a text"),
        ("{beagle_opts, [{1, 2}]}.", "{1,2} is no option"),
        ("{erl_opts, [debug_info", "rebar.config:1:"),
        ("{erl_opts, [debug_info]}", "expected an operator or a full stop"),
        ("}{", "rebar.config:1:"),
    ] {
        shop.write("rebar.config", config);
        let said = shop.refused(&[]);
        assert!(said.contains("rebar.config") && said.contains(message), "{config:?}: {said}");
    }
}

#[test]
fn folders_that_lead_round_in_a_circle_are_left() {
    let shop = shop("circle");
    fs::create_dir_all(shop.0.join("apps")).expect("a folder");
    shop.tool("ln", &["-s", "..", "apps/round"]);
    shop.tool("ln", &["-s", ".", "src/round"]);
    shop.tool("ln", &["-s", "self", "lib"]);
    assert_eq!(shop.list(&["--no-build"]), ["shop:price/1"]);
}

const MEANT: &str = "-module(meant).\n-beagle({expect, {parse/1, [{throw, '_'}, badarg]}}).\n-export([parse/1, other/1]).\n\
    -spec parse(integer()) -> ok.\nparse(1) -> throw(one);\nparse(2) -> error(badarg);\nparse(3) -> error({unmeant, 3});\nparse(_) -> ok.\n\
    -spec other(integer()) -> ok.\nother(1) -> exit(gone);\nother(_) -> ok.\n";

#[test]
fn exceptions_that_are_meant_are_counted_and_not_reported() {
    let meant = Scratch::new("meant", &[("src/meant.erl", MEANT)]);
    let ended = meant.test(&["--format", "jsonl"]);
    assert_eq!(ended.bugs(), [bug("meant:other/1", "gone"), bug("meant:parse/1", "{unmeant,3}")], "{}", ended.said);
    assert_eq!(ended.objects("summary")[0]["expected"], 2);
    let ended = meant.test(&["--format", "jsonl", "--expect", "exit _", "--expect", "meant:parse/1 {unmeant, _}"]);
    assert_eq!((ended.bugs().len(), ended.code), (0, 0), "{}", ended.told);
    let ended = meant.test(&["--expect", "meant:p* {_, _}", "--expect", "meant {exit, gone}"]);
    assert!(ended.told.contains("no bugs") && ended.told.contains("4 expected"), "{}", ended.told);
    meant.write("beagle.toml", "expectations = [\"meant:other/1 exit gone\"]\n");
    assert_eq!(meant.test(&["--format", "jsonl"]).bugs(), [bug("meant:parse/1", "{unmeant,3}")]);
    assert!(meant.refused(&["--expect", "meant:parse/1"]).contains("--expect meant:parse/1"));

    for (attribute, message) in [
        ("{expct, {parse/1, [badarg]}}", "there is no expct"),
        ("{expect, {nothing/1, [badarg]}}", "{nothing,1} is no function of this module"),
        ("{expect, 7}", "7 is no exception"),
        ("nonsense", "that says nothing"),
    ] {
        meant.write("src/meant.erl", &MEANT.replace("{expect, {parse/1, [{throw, '_'}, badarg]}}", attribute));
        let said = meant.refused(&[]);
        assert!(said.contains("meant.erl") && said.contains(message), "{attribute}: {said}");
    }
}

/// What differs from what is meant only in its data is a failure of its own; and where one path leads to both, nobody
/// claims to have seen everything.
#[test]
fn what_is_meant_does_not_hide_what_is_not() {
    let source = "-module(near).\n-export([f/1, g/1]).\n-spec f(integer()) -> ok.\n\
        f(1) -> error({bad, 0}); f(2) -> error({bad, 1}); f(_) -> ok.\n\
        -spec g(integer()) -> ok.\ng(N) when N > 10 -> error({bad, N div 100});\ng(_) -> ok.\n";
    let near = Scratch::new("near", &[("src/near.erl", source)]);
    let ended = near.test(&["--format", "jsonl", "--expect", "{bad, 0}"]);
    assert_eq!((ended.bugs(), ended.code), (vec![bug("near:f/1", "{bad,1}")], 1), "{}", ended.told);
    let functions = ended.objects("function");
    let g = functions.iter().find(|function| function["function"] == "near:g/1").expect("tested");
    assert_eq!((&g["verdict"], &g["loss_codes"][0]), (&"incomplete".into(), &"B055".into()), "{g}");
    let all = near.test(&["--format", "jsonl", "--expect", "{bad, _}"]);
    assert!(all.objects("function").iter().all(|function| function["verdict"] == "exhausted"), "{}", all.told);
}

#[test]
fn known_findings_are_counted_and_forgotten_when_they_are_gone() {
    let source = "-module(known).\n-export([f/1, g/1]).\n-spec f(integer()) -> ok.\nf(1) -> error({bad, 1});\nf(_) -> ok.\n\
        -spec g(integer()) -> ok.\ng(2) -> error(worse);\ng(N) -> inner(N).\ninner(7) -> throw(seven);\ninner(_) -> ok.\n";
    let known = Scratch::new("known", &[("src/known.erl", source)]);
    let written = known.test(&["--update-baseline"]);
    assert_eq!(written.code, 0, "{}", written.said);
    let text = known.read("beagle.baseline");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(
        lines,
        [
            "known:f/1 crash error {bad,_} in known:f/1",
            "known:g/1 crash error worse in known:g/1",
            "known:g/1 crash throw seven in known:inner/1",
        ]
    );
    let ended = known.test(&[]);
    assert_eq!(ended.code, 0, "{}", ended.told);
    assert!(ended.told.contains("3 known") && !ended.told.contains("error:"), "{}", ended.told);

    // Lines move, one bug goes, and one comes that looks like another.
    let changed = source.replace("-spec f", "%% New.\n\n-spec f").replace("error(worse)", "ok");
    known.write("src/known.erl", &changed.replace("f(_) -> ok", "f(5) -> error({bad, 5});\nf(_) -> ok"));
    let ended = known.test(&["--format", "jsonl"]);
    assert_eq!((ended.bugs().len(), ended.code), (1, 1), "{}", ended.told);
    assert!(ended.said.contains("beagle.baseline:4: not found any more"), "{}", ended.said);
    assert!(!ended.said.contains("beagle.baseline:3") && !ended.said.contains("beagle.baseline:5"), "{}", ended.said);
    let partial = known.test(&["--update-baseline", "-f", "known:f/1"]);
    assert_eq!(partial.code, 0);
    let text = known.read("beagle.baseline");
    assert_eq!(text.matches("known:f/1 crash error {bad,_} in known:f/1").count(), 2, "{text}");
    assert!(text.contains("worse"), "what was not tested is kept: {text}");

    known.write("beagle.baseline", "nonsense\n");
    assert!(known.refused(&[]).contains("beagle.baseline:1: \"nonsense\" is no finding"));
    assert!(known.refused(&["--baseline", "nothing"]).contains("there is no such file"));
}

#[test]
fn codes_are_explained() {
    let denied = "-module(denied).\n-export([f/1]).\n-spec f(string()) -> any().\nf(X) -> file:delete(X).\n";
    let denied = Scratch::new("denied", &[("src/denied.erl", denied)]);
    let one = denied.command_in("", &["explain", "B001"]);
    assert!(
        one.code == 0 && one.told.starts_with("B001 crash") && one.told.contains("**What to do.**"),
        "{}",
        one.told
    );
    let all = denied.command_in("", &["explain"]);
    assert!(all.code == 0 && all.told.lines().count() > 20 && all.told.contains("B046 effect denied"), "{}", all.told);
    let none = denied.command_in("", &["explain", "B999"]);
    assert!(none.code == 2 && none.said.contains("there is no code \"B999\""), "{}", none.said);

    let ended = denied.test(&["--format", "jsonl", "--max-runs", "5"]);
    let function = &ended.objects("function")[0];
    assert!(function["loss_codes"].as_array().is_some_and(|codes| codes.contains(&"B046".into())), "{function}");
    assert!(denied.test(&["-v", "--max-runs", "5"]).told.contains("effect denied: file:delete/1 [B046]"));
}

/// Makes object code that says it comes from a later release, with forms that nobody knows yet.
const FUTURE: &str = r#"#!/usr/bin/env escript
main([]) ->
    Head = [{attribute, 1, file, {"future.erl", 1}}, {attribute, 1, module, future}, {attribute, 1, export, [{f, 1}]}],
    Clause = fun(Body) -> {function, 3, f, 1, [{clause, 3, [{var, 3, 'X'}], [], [Body]}]} end,
    {ok, future, Beam} = compile:forms(Head ++ [Clause({var, 3, 'X'})], [debug_info]),
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    Later = [{"CInf", [{version, "8.5.1"}, {source, "/nowhere/future.erl"}]},
             {"Dbgi", {debug_info_v1, erl_abstract_code, {Head ++ [Clause({new_syntax, 3})], []}}}],
    New = [case lists:keyfind(Name, 1, Later) of
               {_, Term} -> {Name, term_to_binary(Term)};
               false -> {Name, Data}
           end || {Name, Data} <- Chunks],
    {ok, Made} = beam_lib:build_module(New),
    ok = filelib:ensure_dir("ebin/x"),
    ok = file:write_file("ebin/future.beam", Made).
"#;

#[test]
fn code_of_a_later_release_is_named_and_the_rest_tested() {
    let plain = Scratch::new(
        "future",
        &[
            ("future.escript", FUTURE),
            ("src/present.erl", "-module(present).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(_) -> ok.\n"),
        ],
    );
    plain.tool("escript", &["future.escript"]);
    plain.write("ebin/junk.beam", "This is no code.");
    let ended = plain.test(&["--format", "jsonl"]);
    assert!(ended.said.contains("future.beam") && ended.said.contains("compiled by Erlang/OTP 27"), "{}", ended.said);
    assert!(ended.said.contains("BEAGLE_ERL") && ended.said.contains("junk.beam"), "{}", ended.said);
    assert_eq!((ended.objects("function").len(), ended.code), (1, 0), "{}", ended.told);
    assert_eq!(ended.objects("summary")[0]["unreadable"], 2);
    assert!(plain.test(&["--module", "future"]).code == 2, "nothing at all can be tested");
}
