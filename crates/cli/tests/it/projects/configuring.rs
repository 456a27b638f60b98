//! What a project says once and for all.

use crate::projects::scratch::{Scratch, bug, shop};
use std::fs;

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
    assert_eq!(shop.test_in("src", &["--list"]).stdout, "shop:price/1\n", "from a folder below, too");
}

#[test]
fn configurations_that_make_no_sense_are_refused() {
    let shop = shop("hostile");
    let text = |text: &str, message: &str| {
        shop.write("beagle.toml", text);
        let said = shop.refused(&[]);
        assert!(said.contains("beagle.toml") && said.contains(message), "{text:?}: {said}");
    };
    text("\n\nmax_run = 3\n", "beagle.toml:3: there is no option \"max_run\"; did you mean max_runs?");
    text("budget = 7", "budget: expected a string, not a number");
    text("max_runs = 1e999", "max_runs");
    text("opaque = [\"shop:nothing\"]", "opaque");
    text("jobs = 99999999999999999999999999999999999999999", "jobs");
    text("expectations = [\"shop:price/1\"]", "expectations");
    text("exclude = [", "this is not TOML");
    fs::write(shop.0.join("beagle.toml"), [0xff, 0xfe, 0, 1, 2]).expect("written");
    assert!(shop.refused(&[]).contains("not valid UTF-8"));
    fs::remove_file(shop.0.join("beagle.toml")).expect("removed");
    shop.tool("ln", &["-s", "beagle.toml", "beagle.toml"]);
    assert!(shop.refused(&[]).contains("beagle.toml cannot be read"));
    fs::remove_file(shop.0.join("beagle.toml")).expect("removed");
    shop.tool("mkfifo", &["beagle.toml"]);
    assert!(shop.refused(&[]).contains("is not a regular file"));
    fs::remove_file(shop.0.join("beagle.toml")).expect("removed");
    shop.write("beagle.toml", "seeds = [\"@/dev/zero\"]\n");
    assert!(shop.refused(&[]).contains("a project cannot name a path that leads out of the project"));
    fs::remove_file(shop.0.join("beagle.toml")).expect("removed");

    for (config, message) in [
        ("{beagle_opts, [{budgget, \"1s\"}]}.", "rebar.config:1: there is no option \"budgget\"; did you mean budget?"),
        ("{a, b}.\n{beagle_opts, 7}.", "rebar.config:2: beagle_opts: 7 is not an option"),
        ("{beagle_opts, [{jobs, \"many\"}]}.", "jobs: expected a number, not a string"),
        ("{beagle_opts, [{1, 2}]}.", "{1,2} is not an option"),
        ("{erl_opts, [debug_info", "rebar.config:1:"),
        ("{erl_opts, [debug_info]}", "expected an operator or a full stop"),
        ("}{", "rebar.config:1:"),
    ] {
        shop.write("rebar.config", config);
        let said = shop.refused(&[]);
        assert!(said.contains("rebar.config") && said.contains(message), "{config:?}: {said}");
    }
}

/// What each project says of its functions holds for these; numbers, reports and the exit code are of all.
#[test]
fn several_projects_have_a_configuration_each() {
    let source = |module: &str| {
        format!(
            "-module({module}).\n-export([f/1, g/1, skipped/1]).\n-include(\"{module}.hrl\").\n-spec f(integer()) -> ok.\n\
             f(?WRONG) -> error(wrong);\nf(_) -> ok.\n-spec g(integer()) -> ok.\ng(1) -> throw(one);\ng(_) -> ok.\n\
             -spec skipped(integer()) -> ok.\nskipped(X) -> ok = X.\n"
        )
    };
    let both = Scratch::new(
        "several",
        &[
            ("a/rebar.config", "{erl_opts, [debug_info, {i, \"headers\"}]}.\n"),
            ("a/headers/first.hrl", "-define(WRONG, 17).\n"),
            ("a/src/first.erl", &source("first")),
            ("a/beagle.toml", "expectations = [\"throw _\"]\nexclude = [\"*:skipped\"]\n"),
            ("b/rebar.config", "{erl_opts, [debug_info, {i, \"others\"}]}.\n"),
            ("b/others/second.hrl", "-define(WRONG, 18).\n"),
            ("b/src/second.erl", &source("second")),
            ("b/beagle.toml", "baseline = \"known\"\n"),
            ("b/known", "second:f/1 crash error wrong in second:f/1\nsecond:old/9 timeout\n"),
            (
                "loose.erl",
                "-module(loose).\n-export([h/1]).\n-spec h(integer()) -> ok.\nh(3) -> error(loose);\nh(_) -> ok.\n",
            ),
        ],
    );
    let ended = both.test(&["--format", "jsonl", "a", "b/src", "loose.erl", "--no-build"]);
    let bugs: Vec<(String, String)> =
        ended.bugs().into_iter().filter(|(function, _)| !function.contains("skipped")).collect();
    assert_eq!(
        bugs,
        [bug("first:f/1", "wrong"), bug("loose:h/1", "loose"), bug("second:g/1", "one")],
        "{}{}",
        ended.stdout,
        ended.said
    );
    assert_eq!(ended.objects("summary")[0]["functions"], 6);
    assert!(ended.said.contains("known:2: this finding is gone"), "{}", ended.said);
    assert_eq!((ended.code, both.list(&["a", "b", "--no-build"]).len()), (1, 5));
    assert!(both.0.join("a/_build/beagle").is_dir() && both.0.join("b/_build/beagle").is_dir(), "each keeps its own");

    assert_eq!(
        both.list(&["a", "b", "--no-build", "-f", "second:f/1", "-f", "first:*"]),
        ["first:f/1", "first:g/1", "second:f/1"]
    );
    assert_eq!(both.list(&["a", "b", "--no-build", "--module", "sec*"]).len(), 3);
    assert!(
        both.refused(&["a", "b", "--no-build", "-f", "third:f/1"]).contains("third:f/1: none of the named projects")
    );
    assert!(both.refused(&["a", "b", "--no-build", "--module", "third"]).contains("--module third: none of"));
    let seeded =
        both.test(&["--format", "jsonl", "a", "b", "--no-build", "--seed", "[18]", "--max-runs", "1", "--fresh"]);
    assert_eq!(seeded.objects("summary")[0]["known"], 1, "{}", seeded.stdout);
}
