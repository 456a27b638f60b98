//! Results outlive the command that found them: decided ones are told again, others are gone on with, parts are merged.

mod common;

use common::every_category;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A project in a folder of its own, with this module.
fn project(name: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("src")).expect("a scratch folder");
    std::fs::write(folder.join("rebar.config"), "{erl_opts, [debug_info]}.\n").expect("a file");
    std::fs::write(folder.join("src/shop.erl"), source).expect("a file");
    folder
}

fn beagle(folder: &Path, args: &[&str]) -> Command {
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

fn said(output: &Output) -> (String, String) {
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn test(folder: &Path, args: &[&str]) -> (String, String, i32) {
    let all = [&["test", "--format", "jsonl", "src"][..], args].concat();
    let output = beagle(folder, &all).output().expect("beagle can be started");
    let (out, err) = said(&output);
    (out, err, output.status.code().unwrap_or(-1))
}

/// The lines without times, which differ.
fn lines(text: &str) -> Vec<Value> {
    let without_times = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        ["seconds", "solver_seconds", "smt_seconds", "rechecked"].iter().for_each(|field| line[*field] = 0.into());
        line
    };
    text.lines().map(without_times).collect()
}

const SHOP: &str = "-module(shop).
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
