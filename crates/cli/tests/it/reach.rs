//! Places in the code that are reached, refuted or left open. Targets are lines that end in `%! VERDICT`, perhaps with the
//! largest numbers of segments and of runs that it may take.

use crate::common::{beagle, refused, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reach")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

/// Runs all targets of a program and compares the verdicts.
fn check(file: &Path) {
    let text = std::fs::read_to_string(file).expect("a program");
    let mut args = vec!["reach".to_string(), "--format".into(), "jsonl".into(), "--budget".into(), "60s".into()];
    let mut expected = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some((_, claim)) = line.split_once("%! ") {
            args.push(format!("{}:{}", file.display(), number + 1));
            expected.push((number + 1, claim.split(' ').map(str::to_string).collect::<Vec<_>>()));
        }
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (said, code) = run(&args, &[]);
    let said = lines(&said);
    assert_eq!(said.len(), expected.len());
    for (said, (line, claim)) in said.iter().zip(&expected) {
        assert_eq!(said["verdict"].as_str(), claim.first().map(String::as_str), "line {line}: {said}");
        if claim.first().is_some_and(|claim| claim == "reached") {
            assert_eq!(said["confirmed"].as_bool(), Some(true), "line {line}: {said}");
            let trail = said["trail"].as_array().and_then(|trail| trail.last()).and_then(Value::as_str);
            assert!(trail.is_some_and(|last| last.ends_with(&format!(":{line}"))), "line {line}: {said}");
        }
        for (field, most) in ["segments", "runs"].into_iter().zip(claim.iter().skip(1)) {
            let Ok(most) = most.parse::<u64>() else { break };
            assert!(said[field].as_u64().is_some_and(|count| count <= most), "line {line}: {said}");
        }
    }
    let is = |verdict: &str| said.iter().any(|said| said["verdict"] == verdict);
    let wanted = if is("undecided") || is("unconfirmed") { 4 } else { i32::from(is("unreachable")) };
    assert_eq!(code, wanted);
}

#[test]
fn loops_are_unknown_functions() {
    check(&folder().join("loops.erl"));
}

#[test]
fn closures_are_no_arguments_of_samples() {
    check(&folder().join("closures.erl"));
}

#[test]
fn branches_that_do_not_matter_are_not_looked_at() {
    check(&folder().join("branches.erl"));
}

#[test]
fn calls_callbacks_and_exceptions_are_followed() {
    check(&folder().join("calls.erl"));
}

#[test]
fn servers_are_reached_through_their_clients() {
    check(&folder().join("server.erl"));
}

#[test]
fn programs_of_the_literature_are_decided() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/reach/thesis.erl"));
}

/// Keys of large maps come in an order of Beagle's own, so the BEAM goes another way.
#[test]
fn what_the_beam_contradicts_is_unconfirmed() {
    let file = folder().join("order.erl");
    check(&file);
    let scratch = tempfile::tempdir().expect("a folder");
    let tests = scratch.path().join("tests").display().to_string();
    let (first, other) = (format!("{}:10", file.display()), format!("{}:12", file.display()));
    let (said, code) = run(&["reach", &first, &other, "--emit-tests", &tests], &[]);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("is unconfirmed: Beagle's machine reaches it, but the BEAM does not come there"), "{said}");
    let written = std::fs::read_to_string(Path::new(&tests).join("order_beagle_tests.erl")).expect("a test of line 12");
    assert!(written.contains("(other,") && !written.contains("(found,"), "{written}");
    let (said, code) = run(&["reach", &first, "--format", "jsonl", "--no-confirm"], &[]);
    let said = &lines(&said)[0];
    assert_eq!((said["verdict"].as_str(), code), (Some("reached"), 0), "{said}");
    assert_eq!(
        (said["confirmed"].as_bool(), &said["why"][0]),
        (Some(false), &"the BEAM was not asked".into()),
        "{said}"
    );
}

#[test]
fn code_of_libraries_is_reached_through_the_program() {
    let source = folder().join("calls.erl").display().to_string();
    let args = ["reach", "lists:split_1_1/6", "--source", &source, "--from", "calls:sorted/1", "--format", "jsonl"];
    let (said, code) = run(&args, &[]);
    let said = &lines(&said)[0];
    assert_eq!((said["verdict"].as_str(), code), (Some("reached"), 0), "{said}");
    assert_eq!((said["entry"].as_str(), said["confirmed"].as_bool()), (Some("calls:sorted/1"), Some(true)), "{said}");
}

/// A line of a library: as it is named in traces, and by any path to its source.
#[test]
fn lines_of_libraries_are_reached_through_the_program() {
    let source = folder().join("calls.erl").display().to_string();
    for (function, entry) in [("lists:split_1_1/6", "calls:sorted/1"), ("string:trim_l/2", "calls:trimmed/1")] {
        let reach = |target: &str| {
            let args = ["reach", target, "--source", &source, "--from", entry, "--budget", "60s", "--format", "jsonl"];
            let (said, code) = run(&args, &[]);
            let said = lines(&said).remove(0);
            assert_eq!((said["verdict"].as_str(), code), (Some("reached"), 0), "{target}: {said}");
            assert_eq!((said["entry"].as_str(), said["confirmed"].as_bool()), (Some(entry), Some(true)), "{said}");
            said["trail"].as_array().and_then(|trail| trail.last()).and_then(Value::as_str).unwrap_or("").to_string()
        };
        let place = reach(function);
        let module = function.split(':').next().unwrap_or_default();
        assert!(place.starts_with(&format!("{module}.erl:")), "{place}");
        assert_eq!(reach(&place), place);
        assert_eq!(reach(&format!("stdlib/src/{place}")), place);
    }
}

#[test]
fn reasons_are_in_the_words_of_the_program() {
    let file = folder().join("calls.erl");
    let line = |text: &str| {
        let source = std::fs::read_to_string(&file).expect("a program");
        source.lines().position(|line| line.contains(text)).expect("the line") + 1
    };
    let (said, code) = run(&["reach", &format!("{}:{}", file.display(), line("negative; %!"))], &[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("is unreachable from the exported functions of calls:"), "{said}");
    let (inner, outer) = (line("inner(X) when X < 0"), line("positive(X) when X > 0"));
    assert!(said.contains(&format!("calls.erl:{inner} needs X < 0, calls.erl:{outer} needs X > 0")), "{said}");
}

#[test]
fn what_is_no_place_is_said() {
    let file = folder().join("calls.erl").display().to_string();
    let (said, code) = run(&["reach", &format!("{file}:1")], &[]);
    assert!(said.contains("there is no code that is executed there") && code == 1, "{said}");
    assert!(refused(&["reach", "nothing"], &[]).contains("names no place"));
    assert!(refused(&["reach"], &[]).contains("name what to reach"));
    assert!(refused(&["reach", "@/no/such/file"], &[]).contains("/no/such/file"));
    assert!(
        refused(&["reach", &format!("{file}:9"), "--from", "x"], &[]).contains("--from x does not name a function")
    );
    assert!(refused(&["reach", "--uncovered", &file], &[]).contains("cover:export/1"));
}

#[test]
fn lines_that_tests_leave_uncovered_get_tests() {
    let scratch = tempfile::tempdir().expect("a folder");
    let source = scratch.path().join("basket.erl");
    let text = "-module(basket).\n-export([price/2]).\n-spec price(integer(), integer()) -> term().\n\
                price(Count, Each) when Count > 12 ->\n    {discount, Count * Each};\n\
                price(Count, Each) when Count >= 0 ->\n    {normal, Count * Each};\n\
                price(_, _) ->\n    {error, negative}.\n";
    std::fs::write(&source, text).expect("a file");
    let script = format!(
        "{{ok, basket}} = cover:compile_module(\"{}\"), {{normal, 6}} = basket:price(2, 3), \
         ok = cover:export(\"{}\"), halt().",
        source.display(),
        scratch.path().join("cover.coverdata").display()
    );
    let output = Command::new("erl").args(["-noshell", "-eval", &script]).output().expect("erl");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let data = scratch.path().join("cover.coverdata").display().to_string();
    let tests = scratch.path().join("tests").display().to_string();
    let (said, code) = run(&["reach", "--uncovered", &data, "--emit-tests", &tests, "--format", "jsonl"], &[]);
    let said = lines(&said);
    let targets: Vec<&str> = said.iter().filter_map(|said| said["target"].as_str()).collect();
    let expected = [5, 9].map(|line| format!("{}:{line}", source.display()));
    assert_eq!((targets, code), (expected.iter().map(String::as_str).collect(), 0));
    let written: Vec<PathBuf> =
        std::fs::read_dir(&tests).expect("tests").map(|entry| entry.expect("a file").path()).collect();
    let text = std::fs::read_to_string(&written[0]).expect("a test");
    assert!(text.contains("{discount") && text.contains("{error,negative}"), "{text}");
}

#[test]
fn targets_come_from_a_file_and_start_where_the_user_says() {
    let scratch = tempfile::tempdir().expect("a folder");
    let list = scratch.path().join("targets");
    let file = folder().join("calls.erl").display().to_string();
    std::fs::write(&list, "# two of them\ncalls:fourth/1\n\ncalls:inner/1\n").expect("a file");
    let list = format!("@{}", list.display());
    let args = ["reach", &list, "--source", &file, "--from", "calls:positive/1", "--format", "jsonl"];
    let output = beagle(&args, &[]);
    let said = lines(String::from_utf8_lossy(&output.stdout).trim_end());
    assert_eq!(said[1]["call"].as_str(), Some("calls:positive(1)"), "{said:?}");
    assert_ne!(said[0]["verdict"], "reached", "{said:?}");
}

#[test]
fn elixir_is_reached_and_told_in_its_own_words() {
    let scratch = tempfile::tempdir().expect("a folder");
    let source = scratch.path().join("door.ex");
    let text = "defmodule Door do\n  @spec open(integer(), atom()) :: term()\n  def open(code, who) do\n    \
                cond do\n      rem(code, 97) == 13 and who == :owner ->\n        code + 1\n      \
                code > 5 and code < 3 ->\n        code - 1\n      true ->\n        :closed\n    end\n  end\nend\n";
    std::fs::write(&source, text).expect("a file");
    let output = Command::new("elixirc").arg("-o").args([scratch.path(), &source]).output().expect("elixirc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let beams = scratch.path().display().to_string();
    let args = ["reach", "door.ex:6", "door.ex:8", "--source", &beams, "--format", "jsonl"];
    let (said, code) = run(&args, &[]);
    let said = lines(&said);
    assert_eq!(
        (said[0]["verdict"].as_str(), said[0]["confirmed"].as_bool()),
        (Some("reached"), Some(true)),
        "{said:?}"
    );
    assert!(said[0]["call"].as_str().is_some_and(|call| call.starts_with("Door.open(")), "{said:?}");
    assert_eq!((said[1]["verdict"].as_str(), code), (Some("unreachable"), 1), "{said:?}");
}

/// `mix test --cover` counts the same lines, and says nothing of literals, which Elixir's compiler gives no line.
#[test]
fn lines_of_elixir_are_those_that_cover_counts() {
    let scratch = tempfile::tempdir().expect("a folder");
    let source = scratch.path().join("literals.ex");
    let text = "defmodule Literals do\n  def pick(1), do: :one\n\n  def pick(2) do\n    :two\n  end\n\n  def pick(x) do\n    \
                case x do\n      3 ->\n        \"three\"\n      4 ->\n        {:four, x}\n      5 ->\n        \
                x\n      6 ->\n        %{six: 6}\n      _ ->\n        nil\n    end\n  end\nend\n";
    std::fs::write(&source, text).expect("a file");
    let compiled = Command::new("elixirc").arg("-o").args([scratch.path(), &source]).output().expect("elixirc");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let script = format!(
        "{{:ok, module}} = :cover.compile_beam('{}/Elixir.Literals.beam')\n\
         {{:ok, lines}} = :cover.analyse(module, :calls, :line)\n\
         for {{{{_, line}}, _}} <- lines, line > 0, do: IO.puts(line)",
        scratch.path().display()
    );
    let counted = Command::new("elixir").args(["-e", &script]).output().expect("elixir");
    let counted: Vec<u64> =
        String::from_utf8_lossy(&counted.stdout).lines().map(|line| line.parse().expect("a line")).collect();
    let all: Vec<String> = (1..=text.lines().count()).map(|line| format!("literals.ex:{line}")).collect();
    let beams = scratch.path().display().to_string();
    let mut args = vec!["reach", "--source", &beams, "--format", "jsonl", "--no-confirm"];
    args.extend(all.iter().map(String::as_str));
    let (said, _) = run(&args, &[]);
    let has_code = |said: &Value| {
        let line = said["target"].as_str().and_then(|target| target.rsplit(':').next()?.parse().ok());
        line.filter(|_| said["verdict"] != "no_code")
    };
    let marked: Vec<u64> = lines(&said).iter().filter_map(has_code).collect();
    assert!(marked.len() > 5 && marked.len() < all.len(), "{marked:?}");
    assert_eq!(marked, counted);
}

#[test]
fn what_was_not_compiled_is_said_to_be_so() {
    let scratch = tempfile::tempdir().expect("a folder");
    let source = scratch.path().join("door.ex");
    std::fs::write(&source, "defmodule Door do\n  def open(x), do: x + 1\nend\n").expect("a file");
    let calls = folder().join("calls.erl").display().to_string();
    for (target, wanted) in [
        (format!("{}:2", source.display()), "was compiled from"),
        ("nowhere.erl:3".to_string(), "no module that was loaded was compiled from nowhere.erl"),
        ("nowhere:f/1".to_string(), "there is no module nowhere"),
    ] {
        let (said, code) = run(&["reach", &target, "--source", &calls, "--format", "jsonl"], &[]);
        let said = lines(&said).remove(0);
        assert_eq!((said["verdict"].as_str(), code), (Some("undecided"), 4), "{said}");
        assert!(said["why"][0].as_str().is_some_and(|why| why.contains(wanted) && why.contains("--source")), "{said}");
    }
}

#[test]
fn dead_code_is_a_finding_if_that_is_wanted() {
    let file = folder().join("branches.erl");
    let args = ["test", "--dead-code", "--format", "jsonl", "--max-runs", "5", "-f", "branches:untouched/2"];
    let (said, _) = run(&args, std::slice::from_ref(&file));
    let dead: Vec<Value> = lines(&said).into_iter().filter(|line| line["type"] == "dead_code").collect();
    let text = std::fs::read_to_string(&file).expect("a program");
    let expected: Vec<u64> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains("%! unreachable"))
        .map(|(n, _)| n as u64 + 1)
        .collect();
    assert_eq!(dead.iter().filter_map(|dead| dead["line"].as_u64()).collect::<Vec<_>>(), expected, "{dead:?}");
    assert!(dead.iter().all(|dead| dead["code"] == "B011"), "{dead:?}");
    assert!(dead.iter().all(|dead| dead["from"] == "the exported functions of branches"), "{dead:?}");
}

/// The paths through a loop are never all explored; that a side is taken on none of them is proved all the same.
#[test]
fn sides_that_nothing_takes_are_proved_unreachable() {
    let file = folder().join("sides.erl");
    let args = ["test", "--fresh", "--format", "jsonl", "--max-runs", "1500", "--budget", "100s"];
    let (said, _) = run(&args, std::slice::from_ref(&file));
    let functions: Vec<Value> = lines(&said).into_iter().filter(|line| line["type"] == "function").collect();
    assert_eq!(functions.len(), 2, "{said}");
    for function in functions {
        let count = |name: &str| function[name].as_u64().unwrap_or(0);
        assert_eq!(function["exhaustive"].as_bool(), Some(false), "{function}");
        assert!(count("unreachable") > 0, "{function}");
        assert_eq!(count("covered") + count("unreachable"), count("branches"), "{function}");
    }
    let args = ["test", "--fresh", "--max-runs", "1500", "--budget", "100s", "-v"];
    let (said, _) = run(&args, std::slice::from_ref(&file));
    assert!(said.contains("proved unreachable"), "{said}");
}

#[test]
fn calls_that_no_call_site_shows_are_reckoned_with() {
    let file = folder().join("unseen.erl");
    let args = ["test", "--fresh", "--format", "jsonl", "--max-runs", "200", "--budget", "60s", "-f", "unseen:by_*"];
    let (said, _) = run(&args, std::slice::from_ref(&file));
    let functions: Vec<Value> = lines(&said).into_iter().filter(|line| line["type"] == "function").collect();
    assert_eq!(functions.len(), 5, "{said}");
    for function in functions {
        assert_eq!(function["unreachable"], 0, "{function}");
        assert_ne!(function["verdict"], "exhausted", "{function}");
    }
    let text = std::fs::read_to_string(&file).expect("a program");
    let line = text.lines().position(|line| line.starts_with("helper(77)")).expect("the clause") + 1;
    let target = format!("{}:{line}", file.display());
    let (said, _) = run(&["reach", "--format", "jsonl", "--budget", "3s", &target], &[]);
    assert_ne!(lines(&said)[0]["verdict"], "unreachable", "{said}");
}

#[test]
fn what_looks_alike_is_not_proved_to_be() {
    let file = folder().join("alike.erl");
    let text = std::fs::read_to_string(&file).expect("a program");
    let lines_with_remarks = text.lines().enumerate().filter(|(_, line)| line.ends_with("% reachable"));
    let targets: Vec<String> =
        lines_with_remarks.map(|(number, _)| format!("{}:{}", file.display(), number + 1)).collect();
    assert_eq!(targets.len(), 4, "{text}");
    for target in targets {
        let (said, _) = run(&["reach", "--format", "jsonl", "--budget", "2s", &target], &[]);
        assert_ne!(lines(&said)[0]["verdict"], "unreachable", "{said}");
    }
}
