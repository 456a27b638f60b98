//! Results outlive the command that found them: decided ones are told again, others are gone on with, parts are merged.

use crate::common::every_category;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A project in a folder of its own, with this module.
pub fn project(name: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("src")).expect("a scratch folder");
    std::fs::write(folder.join("rebar.config"), "{erl_opts, [debug_info]}.\n").expect("a file");
    std::fs::write(folder.join("src/shop.erl"), source).expect("a file");
    folder
}

pub fn beagle(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beagle"));
    command
        .args(every_category(args))
        .current_dir(folder)
        .env("BEAGLE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
        .stdin(Stdio::null());
    command
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

pub fn said(output: &Output) -> (String, String) {
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

pub fn test(folder: &Path, args: &[&str]) -> (String, String, i32) {
    let all = [&["test", "--format", "jsonl", "src"][..], args].concat();
    let output = beagle(folder, &all).output().expect("beagle can be started");
    let (out, err) = said(&output);
    (out, err, output.status.code().unwrap_or(-1))
}

/// The lines without times, which differ.
pub fn lines(text: &str) -> Vec<Value> {
    let without_times = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        ["seconds", "solver_seconds", "smt_seconds", "rechecked"].iter().for_each(|field| line[*field] = 0.into());
        line
    };
    text.lines().map(without_times).collect()
}

pub const SHOP: &str = "-module(shop).
-export([price/1, label/1, endless/2]).
-spec price(integer()) -> integer().
price(N) when N > 100 -> error(too_many);
price(N) -> helper(N).
helper(7) -> error(seven);
helper(N) -> N.
-spec label(atom()) -> ok.
label(sold) -> error(sold);
label(_) -> ok.
-spec endless([integer()], integer()) -> integer().
endless([X | Rest], Sum) when X > Sum -> endless(Rest, X);
endless([X | Rest], Sum) -> endless(Rest, Sum - X);
endless([], 987654) -> error(deep);
endless([], Sum) -> Sum.
";

#[test]
fn what_is_decided_and_unchanged_is_reported_again() {
    let folder = project("decided", SHOP);
    let functions = ["-f", "shop:price/1", "-f", "shop:label/1", "-j", "1"];
    let (first, err, code) = test(&folder, &functions);
    assert_eq!((code, err.contains("as before")), (1, false), "{err}");
    let (second, err, code) = test(&folder, &functions);
    assert_eq!((lines(&second), code), (lines(&first), 1));
    assert!(err.contains("2 functions are as before"), "{err}");
    let (_, err, _) = test(&folder, &[&functions[..], &["--fresh"]].concat());
    assert!(!err.contains("as before"), "{err}");

    // Another option, another search.
    let (_, err, _) = test(&folder, &[&functions[..], &["--size-bound", "3"]].concat());
    assert!(!err.contains("as before"), "{err}");

    // Other code, another search: with what was found before to begin with.
    std::fs::write(folder.join("src/shop.erl"), SHOP.replace("helper(7)", "helper(8)")).expect("a file");
    let (third, err, _) = test(&folder, &functions);
    assert!(!err.contains("as before") && third.contains("shop:price(8)"), "{err}{third}");

    let cleaned = beagle(&folder, &["clean"]).output().expect("beagle can be started");
    assert!(said(&cleaned).0.starts_with("removed "), "{cleaned:?}");
    assert!(!folder.join("_build/beagle").exists());
    let cleaned = beagle(&folder, &["clean"]).output().expect("beagle can be started");
    assert!(said(&cleaned).0.starts_with("nothing is kept in "), "{cleaned:?}");
}

/// A module that only another one calls counts like the function's own.
#[test]
fn a_change_in_a_module_that_is_called_is_noticed() {
    let calls = "-module(shop).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(X) -> other:g(X).\n";
    let folder = project("called", calls);
    let other = |number: u32| {
        let source = format!("-module(other).\n-export([g/1]).\ng({number}) -> error(found);\ng(_) -> ok.\n");
        std::fs::write(folder.join("src/other.erl"), source).expect("a file");
    };
    other(5);
    assert!(test(&folder, &[]).0.contains("shop:f(5)"));
    assert!(test(&folder, &[]).1.contains("1 function is as before"));
    other(6);
    let (text, err, _) = test(&folder, &[]);
    assert!(text.contains("shop:f(6)") && !text.contains("shop:f(5)") && !err.contains("as before"), "{text}{err}");
}

#[test]
fn a_killed_search_goes_on() {
    let folder = project("killed", SHOP);
    let args = ["test", "--format", "jsonl", "-f", "shop:endless/2", "--budget", "60s", "-j", "1", "src"];
    let mut child = beagle(&folder, &args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("beagle");
    let kept = folder.join("_build/beagle/functions");
    let start = Instant::now();
    let is_written = || std::fs::read_dir(&kept).is_ok_and(|files| files.count() > 0);
    while !is_written() && start.elapsed() < Duration::from_secs(50) {
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(is_written(), "nothing was kept after {:?}", start.elapsed());
    // What it had seen is seen again at once.
    let (text, ..) = test(&folder, &["-f", "shop:endless/2", "--max-runs", "8", "-j", "1"]);
    let after = lines(&text);
    let alone = project("not_killed", SHOP);
    let (text, ..) = test(&alone, &["-f", "shop:endless/2", "--max-runs", "8", "-j", "1"]);
    let fresh = lines(&text);
    let covered = |lines: &[Value]| {
        lines.iter().find(|line| line["type"] == "function").and_then(|line| line["covered"].as_u64()).expect("a line")
    };
    assert!(covered(&after) >= covered(&fresh), "{after:?} {fresh:?}");
}

#[test]
fn damage_and_a_disk_that_takes_nothing_do_no_harm() {
    let folder = project("damaged", SHOP);
    let functions = ["-f", "shop:price/1", "-j", "1"];
    let (first, ..) = test(&folder, &functions);
    let kept = folder.join("_build/beagle/functions");
    for entry in std::fs::read_dir(&kept).expect("results").filter_map(Result::ok) {
        let bytes = std::fs::read(entry.path()).expect("readable");
        std::fs::write(entry.path(), &bytes[..bytes.len() / 2]).expect("writable");
    }
    let (second, err, _) = test(&folder, &functions);
    assert_eq!(lines(&second), lines(&first));
    assert!(!err.contains("as before"), "{err}");

    // A file in the way is as bad as a full disk.
    std::fs::remove_dir_all(folder.join("_build")).expect("removable");
    std::fs::write(folder.join("_build"), "in the way").expect("writable");
    let (third, err, code) = test(&folder, &functions);
    assert_eq!((lines(&third), code), (lines(&first), 1));
    assert_eq!(err.matches("results cannot be kept in").count(), 1, "{err}");
}

#[test]
fn two_commands_at_once_do_not_harm_each_other() {
    let folder = project("at_once", SHOP);
    let args = ["test", "--format", "jsonl", "-f", "shop:price/1", "-f", "shop:label/1", "-j", "1", "src"];
    let start = || beagle(&folder, &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("beagle");
    let both = [start(), start()].map(|child| said(&child.wait_with_output().expect("it ends")).0);
    let (again, err, _) = test(&folder, &args[3..9]);
    // How many runs it took depends on how far the other one was.
    let calls = |text: &str| {
        let mut calls: Vec<String> = lines(text).iter().map(|line| line["call"].to_string()).collect();
        calls.sort();
        calls
    };
    for text in &both {
        assert_eq!(calls(text), calls(&again));
    }
    assert!(err.contains("2 functions are as before"), "{err}");
}

#[test]
fn merged_parts_are_the_whole() {
    let folder = project("parts", SHOP);
    for file in ["shipping.erl", "toy.erl", "roman.erl", "calc.erl"] {
        std::fs::copy(example(file), folder.join("src").join(file)).expect("copied");
    }
    let common = ["--fresh", "-j", "1", "--max-runs", "30", "--budget", "60s", "--no-confirm"];
    let (whole, ..) = test(&folder, &common);
    let mut parts = 0;
    for part in ["1/3", "2/3", "3/3"] {
        let file = format!("part{}", &part[..1]);
        let (text, ..) = test(&folder, &[&common[..], &["--partition", part, "--save", &file]].concat());
        parts += lines(&text).iter().filter(|line| line["type"] == "function").count();
    }
    let merged = beagle(&folder, &["merge", "--format", "jsonl", "part3", "part1", "part2"]).output().expect("beagle");
    let merged = said(&merged).0;
    assert_eq!(lines(&merged), lines(&whole));
    assert_eq!(parts, lines(&whole).iter().filter(|line| line["type"] == "function").count());

    for (args, message) in [
        (&["merge", "part1", "part1"][..], "a second time"),
        (&["merge", "rebar.config"], "save it again"),
        (&["merge", "nowhere"], "cannot be read"),
        (&["test", "--partition", "4/3", "src"], "1 <= K <= N"),
        (&["test", "--save", "no/such/folder/file", "src"], "--save"),
    ] {
        let output = beagle(&folder, args).output().expect("beagle");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(said(&output).1.contains(message), "{args:?}: {output:?}");
    }
}

/// A function that comes to no end must not keep the others from their turn.
#[test]
fn time_for_all_is_shared() {
    let folder = project("shared", SHOP);
    let start = Instant::now();
    let (text, ..) = test(&folder, &["-j", "1", "--total-budget", "3s", "--budget", "60s", "--no-confirm"]);
    let all = lines(&text);
    let tested = |name: &str| all.iter().find(|line| line["type"] == "function" && line["function"] == name).cloned();
    assert_eq!(tested("shop:price/1").expect("a line")["verdict"], "bugs", "{text}");
    assert_eq!(tested("shop:label/1").expect("a line")["verdict"], "bugs", "{text}");
    assert!(tested("shop:endless/2").is_some(), "{text}");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

/// Everything that reports are made of, without what changes from one command to the next.
fn pages(folder: &Path) -> Vec<(String, String)> {
    let mut pages = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending
                .extend(std::fs::read_dir(&path).expect("a folder").filter_map(Result::ok).map(|entry| entry.path()));
            continue;
        }
        let name = path.strip_prefix(folder).expect("a page").display().to_string();
        // The list of the pages has their digests, which depend on times.
        if name != ".beagle-pages" {
            let text = std::fs::read_to_string(&path).expect("readable");
            let is_time = |cell: &str| cell.split("</td>").next().is_some_and(|figure| figure.contains('.'));
            let cells = text.split("<td class=\"number\">");
            let rest = cells
                .map(|cell| if is_time(cell) { cell.split_once("</td>").map_or("", |(_, rest)| rest) } else { cell });
            pages.push((name, rest.collect::<Vec<_>>().join("")));
        }
    }
    pages.sort();
    pages
}

fn assert_same_pages(left: &Path, right: &Path) {
    let (left, right) = (pages(left), pages(right));
    assert!(left.len() > 3 && left.len() == right.len(), "{} {}", left.len(), right.len());
    for ((name, text), (other, other_text)) in left.iter().zip(&right) {
        assert!(name == other && text == other_text, "{name} and {other} differ");
    }
}

/// A report that needs more of a kept result than was recorded makes what it lacks, and shows what a fresh search shows.
#[test]
fn every_report_is_made_of_the_kept_result() {
    let folder = project("formats", SHOP);
    let functions = ["src", "-j", "1", "-f", "shop:price/1", "-f", "shop:label/1"];
    let run = |args: &[&str]| {
        let output = beagle(&folder, &[&["test"], args, &functions[..]].concat()).output().expect("beagle");
        said(&output)
    };
    let (fresh_lines, _) = run(&["--fresh", "--format", "jsonl"]);
    let (first_lines, err) = run(&["--format", "jsonl"]);
    assert!(!err.contains("as before"), "{err}");
    assert_eq!(lines(&first_lines), lines(&fresh_lines));

    // Words are made of the findings.
    let kept = "2 functions are as before, with a kept result: not tested again";
    for format in ["human", "junit", "sarif", "github"] {
        let (fresh, err) = run(&["--fresh", "--format", format]);
        assert!(!err.contains("as before"), "{err}");
        let (again, err) = run(&["--format", format]);
        assert!(err.contains(kept), "{format}: {err}");
        assert_eq!(without_times(&again), without_times(&fresh), "{format}");
        assert!(format != "human" || again.contains("** exception error: seven"), "{again}");
    }

    // Runs exist only while there is a search, which confirms and decides nothing anew.
    let (_, err) = run(&["--html", "fresh-pages", "--fresh"]);
    assert!(!err.contains("as before"), "{err}");
    let (_, err) = run(&["--html", "pages"]);
    assert!(err.contains("2 functions are as before, with a kept result that lacks recorded runs"), "{err}");
    assert_same_pages(&folder.join("pages"), &folder.join("fresh-pages"));
    let (_, err) = run(&["--html", "pages-again"]);
    assert!(err.contains(kept), "{err}");
    assert_same_pages(&folder.join("pages-again"), &folder.join("fresh-pages"));

    let emit = |name: &str, fresh: &[&str]| {
        let (_, err) = run(&[&["--emit-tests", name, "--emit-tests-for", "paths"], fresh].concat());
        (err, std::fs::read_to_string(folder.join(name).join("shop_beagle_tests.erl")).expect("tests"))
    };
    let (_, fresh) = emit("fresh-tests", &["--fresh"]);
    let (err, tests) = emit("tests", &[]);
    assert!(err.contains("a kept result that lacks inputs of paths"), "{err}");
    assert_eq!(tests, fresh);
    let (err, tests) = emit("tests-again", &[]);
    assert!(err.contains(kept), "{err}");
    assert_eq!(tests, fresh);

    // Whatever was added, the result is the first one.
    let (again, err) = run(&["--format", "jsonl"]);
    assert!(err.contains(kept), "{err}");
    assert_eq!(lines(&again), lines(&fresh_lines));
}

/// Reports without times, which junit writes as attributes.
fn without_times(text: &str) -> String {
    let mut parts = text.split("time=\"");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |all, part| all + part.split_once('"').map_or("", |(_, rest)| rest))
}

/// A search for runs that is cut short does not undo what is decided, and claims nothing of branches.
#[test]
fn a_decided_result_survives_a_search_for_runs_that_is_cut_short() {
    let folder = project("cut", SHOP);
    let functions = ["-j", "1", "-f", "shop:price/1"];
    let (first, ..) = test(&folder, &functions);
    let (again, err, code) = test(&folder, &[&functions[..], &["--html", "pages", "--max-runs", "1"]].concat());
    assert!(err.contains("1 function is as before, with a kept result that lacks recorded runs"), "{err}");
    assert_eq!((lines(&again), code), (lines(&first), 1));
    let pages = pages(&folder.join("pages"));
    assert!(!pages.iter().any(|(_, text)| text.contains("unreachable")), "{pages:?}");
    let (again, err, _) = test(&folder, &functions);
    assert!(err.contains("1 function is as before, with a kept result: not tested again"), "{err}");
    assert_eq!(lines(&again), lines(&first));
}

const PURSE: &str = "-module(shop).
-export([new/0, spend/1, lose/1, is_solvent/1]).
-export_type([purse/0]).
-opaque purse() :: {purse, integer()}.
-spec new() -> purse().
new() -> {purse, 1}.
-spec spend(purse()) -> purse().
spend({purse, Amount}) when Amount > -9 -> {purse, Amount - 1}.
lose({purse, Amount}) when Amount >= 0 -> {purse, -10 - Amount}.
is_solvent({purse, Amount}) -> Amount >= 0.
";

/// A server whose only specification is that of a callback.
const COUNTER: &str = "-module(shop).
-behaviour(gen_server).
-export([start_link/0, take/1, init/1, handle_call/3, handle_cast/2]).
start_link() -> gen_server:start_link(?MODULE, [], []).
take(Server) -> gen_server:call(Server, take).
-spec init(list()) -> {ok, integer()}.
init([]) -> {ok, 1}.
handle_call(take, _, 1) -> {reply, ok, 0}.
handle_cast(_, State) -> {noreply, State}.
";

/// A server with a function that clients call only if functions without a specification are meant.
const HALF_SPECIFIED: &str = "-module(shop).
-behaviour(gen_server).
-export([start_link/0, peek/1, take/1, init/1, handle_call/3, handle_cast/2]).
-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).
-spec peek(pid()) -> integer().
peek(Server) -> gen_server:call(Server, peek).
take(Server) -> gen_server:call(Server, take).
init([]) -> {ok, 1}.
handle_call(peek, _, Count) -> {reply, Count, Count};
handle_call(take, _, 1) -> {reply, ok, 0}.
handle_cast(_, State) -> {noreply, State}.
";

/// The findings, in any order.
fn findings(text: &str) -> Vec<String> {
    let is_finding = |line: &&Value| line["type"] == "bug";
    let finding = |line: &Value| format!("{} {} {}", line["function"], line["call"], line["reason"]);
    let mut findings: Vec<String> = lines(text).iter().filter(is_finding).map(finding).collect();
    findings.sort();
    findings
}

/// What clients do is part of a unit: findings of other clients are not reported.
#[test]
fn what_decides_the_units_decides_the_results_that_are_reported() {
    let common = ["-j", "1", "--max-runs", "60", "--budget", "60s", "--no-confirm"];
    let variants: [(&str, &str, &[&[&str]]); 3] = [
        ("invariant", PURSE, &[&["--invariant", "shop:is_solvent/1"], &[], &["--all"]]),
        ("all", HALF_SPECIFIED, &[&["--all"], &[], &["--callbacks"]]),
        ("callbacks", COUNTER, &[&["src/shop.erl"], &["src/shop.erl", "--callbacks"], &["--all"]]),
    ];
    for (name, source, variants) in variants {
        let folder = project(name, source);
        let mut seen = Vec::new();
        for variant in variants {
            let args = [&["test", "--format", "jsonl"], &common[..], variant].concat();
            let run = |more: &[&str]| {
                let args = [&args[..], more].concat();
                let output = beagle(&folder, &args).output().expect("beagle");
                findings(&said(&output).0)
            };
            let fresh = run(&["--fresh"]);
            assert_eq!(run(&[]), fresh, "{name} {variant:?}");
            seen.push(fresh);
        }
        let [first, second, ..] = &seen[..] else { panic!("two variants") };
        assert!(!first.is_empty() && first.iter().all(|finding| !second.contains(finding)), "{name}: {seen:?}");
        // None of the commands between them has touched the first result.
        let args = [&["test", "--format", "jsonl"], &common[..], variants[0]].concat();
        let again = findings(&said(&beagle(&folder, &args).output().expect("beagle")).0);
        assert!(first.iter().all(|finding| again.contains(finding)), "{name}: {first:?} {again:?}");
    }
}

/// Neither the place of the binary nor the time at which it was made decides anything.
#[test]
fn a_copy_of_the_binary_uses_the_same_results() {
    let folder = project("copied", SHOP);
    let functions = ["-j", "1", "-f", "shop:price/1"];
    let (first, ..) = test(&folder, &functions);
    let copy = folder.join("copy-of-beagle");
    std::fs::copy(env!("CARGO_BIN_EXE_beagle"), &copy).expect("a copy");
    let file = std::fs::File::options().append(true).open(&copy).expect("the copy");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("another time");
    drop(file);
    let original = beagle(&folder, &[&["test", "--format", "jsonl", "src"], &functions[..]].concat());
    let mut command = Command::new(copy);
    command.args(original.get_args()).current_dir(&folder).stdin(Stdio::null());
    command.envs(original.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let (again, err) = said(&command.output().expect("the copy can be started"));
    assert!(err.contains("1 function is as before, with a kept result"), "{err}");
    assert_eq!(lines(&again), lines(&first));
}

/// What is not the entry that was kept under this name reads as absent: damage, the files of others, and other entries.
#[test]
fn foreign_files_read_as_absent() {
    let folder = project("foreign", SHOP);
    let kept = folder.join("_build/beagle/functions");
    let files = || -> Vec<PathBuf> {
        std::fs::read_dir(&kept).expect("results").filter_map(Result::ok).map(|entry| entry.path()).collect()
    };
    let (label, ..) = test(&folder, &["-j", "1", "-f", "shop:label/1"]);
    let of_label = files().pop().expect("an entry");
    let (price, ..) = test(&folder, &["-j", "1", "-f", "shop:price/1"]);
    let of_price = files().into_iter().find(|file| *file != of_label).expect("an entry");
    let entry = std::fs::read(&of_price).expect("readable");
    let damaged: Vec<u8> = entry.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == entry.len() / 2)).collect();
    for content in [&b""[..], b"not ours", &damaged, &std::fs::read(&of_label).expect("readable")] {
        std::fs::write(&of_price, content).expect("writable");
        let (again, err, _) = test(&folder, &["-j", "1", "-f", "shop:price/1"]);
        assert!(!err.contains("as before"), "{err}");
        assert_eq!(lines(&again), lines(&price));
    }
    std::fs::remove_file(&of_price).expect("removable");
    std::fs::create_dir(&of_price).expect("a folder");
    let (again, ..) = test(&folder, &["-j", "1", "-f", "shop:price/1"]);
    assert_eq!(lines(&again), lines(&price));
    let (again, err, _) = test(&folder, &["-j", "1", "-f", "shop:label/1"]);
    assert!(err.contains("1 function is as before"), "{err}");
    assert_eq!(lines(&again), lines(&label));
}
