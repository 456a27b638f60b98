//! `beagle test`: what it finds, what it says of it, and how it ends.

use crate::common::{beagle, program, refused, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// The objects of a test of one function of `tested.erl`, and the exit code.
fn tested(function: &str, options: &[&str]) -> (Vec<Value>, i32) {
    let args = [&["test", "--format", "jsonl", "-f", function], options].concat();
    let (text, code) = run(&args, &[program("tested.erl")]);
    (objects(&text), code)
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect()
}

fn scratch(name: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("testing");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    let file = folder.join(name);
    std::fs::write(&file, source).expect("a scratch file");
    file
}

#[test]
fn wrong_use_says_what_to_do() {
    let toy = [example("toy.erl")];
    for (args, message) in [
        (&["-f", "toy"][..], "-f toy does not name a function: write module:name/arity"),
        (&["-f", "toy:bar/2"], "there is no function toy:bar/2"),
        (&["-f", "toy:foo/3"], "there is foo/2"),
        (&["-f", "no_such_module:f/1"], "the module of no_such_module:f/1 was not found"),
        (&["no/such.erl"], "no/such.erl is neither a file or folder nor a function"),
        (&["--budget", "5"], "500ms, 30s, 2m"),
        (&["--max-runs", "0"], "--max-runs"),
        (&["--strategy", "random"], "coverage, breadth, depth"),
        (&["-q", "-v"], "cannot be used with"),
        (&["--seed", "[1"], "--seed [1"),
        (&["--seed", "{1, 2}"], "is not a list: write the arguments in brackets"),
        (&["--seed", "[1, 2, 3]"], "none of the tested functions takes 3 arguments"),
        (&["--seed", "[hd([]), 1]"], "raises error badarg"),
        (&["--seed", "@no/such/file"], "--seed @no/such/file: the file cannot be read"),
        (&["--opaque", "toy"], "--opaque toy does not name a function: write module:name/arity"),
        (&["--opaque", "toy:bar/9"], "--opaque toy:bar/9: the module has no such function"),
        (&["--opaque", "no_such_module:f/1"], "the module was not found"),
        (&["--opaque", "erlang:phash2/1"], "is known by samples anyway"),
        (&["--opaque", "erlang:length/1"], "is native and has a meaning for the solver"),
        (&["--pa", "no/such/folder"], "--pa takes a folder"),
    ] {
        let said = refused(&[&["test"], args].concat(), &toy);
        assert!(said.contains(message), "{args:?}: {said}");
    }
    let hidden = refused(&["test", "-f", "tested:hidden/1"], &[program("tested.erl")]);
    assert!(hidden.contains("tested:hidden/1 is not exported"), "{hidden}");
}

#[test]
fn a_folder_without_a_project_is_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_beagle")).arg("test").current_dir(&folder).output();
    let output = output.expect("beagle can be started");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no Erlang project in this folder"));
}

#[test]
fn a_module_that_does_not_compile_does_not_stop_the_others() {
    let broken = scratch("unbound.erl", "-module(unbound).\n-export([f/0]).\nf() -> X.\n");
    let said = refused(&["test"], std::slice::from_ref(&broken));
    assert!(said.contains("unbound.erl:3"), "{said}");

    let output = beagle(&["test", "--format", "jsonl"], &[broken, example("toy.erl")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("unbound.erl:3"));
    let lines = objects(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(lines.last().map(|total| &total["unreadable"]), Some(&1.into()));
}

#[test]
fn functions_without_a_specification_are_tested_if_nothing_else_is_there_or_on_demand() {
    let mute = scratch("mute.erl", "-module(mute).\n-export([f/1]).\nf(_) -> ok.\n");
    let (text, code) = run(&["test"], std::slice::from_ref(&mute));
    assert!(text.starts_with("mute:f/1: no bugs found; all paths explored"), "{text}");
    assert_eq!(code, 0);
    let folder = mute.parent().expect("a folder").join("folder");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    std::fs::copy(&mute, folder.join("mute.erl")).expect("a copy");
    assert!(refused(&["test"], std::slice::from_ref(&folder)).contains("--all"));
    assert_eq!(run(&["test", "--all"], &[folder]).1, 0);
}

#[test]
fn the_toy_is_explored_and_its_crash_confirmed() {
    let (text, code) = run(&["test", "--format", "jsonl"], &[example("toy.erl")]);
    let lines = objects(&text);
    assert_eq!(code, 1);
    let [bug, function, defect, summary] = &lines[..] else { panic!("{text}") };
    assert_eq!((&bug["type"], &bug["function"], &bug["kind"]), (&"bug".into(), &"toy:foo/2".into(), &"crash".into()));
    assert_eq!((&bug["class"], &bug["reason"]), (&"error".into(), &"assertion".into()));
    assert_eq!((&bug["args"][0], &bug["confirmed"]), (&"100000".into(), &true.into()));
    assert_eq!(bug["call"], format!("toy:foo(100000, {})", bug["args"][1].as_str().expect("text")));
    assert_eq!((&bug["stack"][0]["function"], &bug["stack"][0]["line"]), (&"toy:foo/2".into(), &9.into()));
    assert_eq!((&function["type"], &function["verdict"]), (&"function".into(), &"bugs".into()));
    assert_eq!(
        (&defect["type"], &defect["category"], &defect["rank"]),
        (&"defect".into(), &"likely".into(), &1.into())
    );
    assert_eq!((&defect["call"], &defect["defects"][0]), (&bug["call"], &bug["defect"]));
    assert_eq!((&function["exhaustive"], &function["unknown"]), (&true.into(), &0.into()));
    assert_eq!(function["branches"], function["covered"]);
    for field in ["runs", "queries", "solver_seconds", "seconds"] {
        assert!(function[field].is_number(), "{field}: {function}");
    }
    assert!(bug["runs"].is_number() && bug["seconds"].is_number() && function["unsupported"].is_array());
    assert_eq!((&summary["type"], &summary["functions"], &summary["bugs"]), (&"summary".into(), &1.into(), &1.into()));
}

#[test]
fn a_function_without_bugs_is_explored_to_the_end() {
    let (lines, code) = tested("tested:clean/1", &[]);
    assert_eq!(code, 0);
    assert_eq!((lines.len(), &lines[0]["verdict"]), (2, &"exhausted".into()), "{lines:?}");
}

#[test]
fn budgets_of_runs_are_kept() {
    let (lines, code) = tested("tested:deep/1", &["--max-runs", "1"]);
    assert_eq!((&lines[0]["verdict"], &lines[0]["runs"], code), (&"budget".into(), &1.into(), 0), "{lines:?}");
}

#[test]
fn each_kind_of_failure_is_confirmed() {
    let (lines, code) = tested("tested:crash/1", &[]);
    assert_eq!((&lines[0]["args"][0], &lines[0]["reason"]), (&"1017".into(), &"{unlucky,17}".into()), "{lines:?}");
    assert_eq!((&lines[0]["confirmed"], code), (&true.into(), 1));

    let (lines, code) = tested("tested:broken_promise/1", &[]);
    assert_eq!(
        (&lines[0]["kind"], &lines[0]["args"][0], &lines[0]["result"]),
        (&"spec".into(), &"[]".into(), &"0".into())
    );
    assert_eq!((&lines[0]["confirmed"], code), (&true.into(), 1));

    let (lines, code) = tested("tested:loop/1", &["--steps", "100000"]);
    assert_eq!((&lines[0]["kind"], &lines[0]["args"][0]), (&"timeout".into(), &"42".into()), "{lines:?}");
    assert_eq!((&lines[0]["confirmed"], code), (&true.into(), 1));

    let (lines, code) = tested("tested:wait/1", &[]);
    assert_eq!((&lines[0]["kind"], &lines[0]["args"][0]), (&"deadlock".into(), &"true".into()), "{lines:?}");
    assert_eq!((&lines[0]["confirmed"], code), (&true.into(), 1));
}

#[test]
fn what_ends_on_the_beam_is_no_endless_loop() {
    let (lines, code) = tested("tested:slow/1", &["--steps", "100000"]);
    assert_eq!((lines.len(), &lines[0]["verdict"], code), (2, &"incomplete".into(), 0), "{lines:?}");
    let losses = lines[0]["losses"].as_object().expect("an object");
    assert!(losses.keys().any(|why| why.contains("ends on the BEAM")), "{losses:?}");
}

#[test]
fn what_the_beam_contradicts_is_no_bug() {
    let (lines, code) = tested("tested:varying/1", &[]);
    let bug = &lines[0];
    assert_eq!((&bug["type"], &bug["confirmed"], code), (&"bug".into(), &false.into(), 0), "{lines:?}");
    assert_eq!((&bug["depends_on"][0], &lines[1]["verdict"]), (&"unique integers".into(), &"incomplete".into()));
    assert!(bug["note"].as_str().is_some_and(|note| note.contains("{badmatch,")), "{bug}");
    assert_eq!((&lines[2]["bugs"], &lines[2]["suspected"]), (&0.into(), &0.into()), "explained is not suspected");
}

#[test]
fn a_missing_solver_is_named_once() {
    let args = ["test", "--format", "jsonl", "--solver", "/no/such/solver", "-j", "2", "--max-runs", "20"];
    let output = beagle(&args, &[example("toy.erl"), example("shipping.erl")]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("/no/such/solver").count(), 1, "{said}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_is_no_solver_is_said_to_be_none() {
    let output = beagle(&["test", "--solver", "cat", "--max-runs", "5"], &[example("toy.erl")]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("`cat` does not answer as an SMT-LIB 2 solver does"), "{said}");
}

#[test]
fn who_asks_for_a_function_that_is_not_there_is_told_what_is() {
    let refusal = refused(&["test", "-f", "tested:nothing/1"], &[program("tested.erl")]);
    assert!(refusal.contains("there is no function tested:nothing/1; tested exports broken_promise/1, "), "{refusal}");
    let refusal = refused(&["test", "-f", "tested:crash/7"], &[program("tested.erl")]);
    assert!(refusal.contains("there is no function tested:crash/7; there is crash/1"), "{refusal}");
}

/// The same number gives the same search; the order of what is tried is another with another number.
#[test]
fn a_seed_orders_what_is_tried() {
    let test = |seed: &str| {
        let args = ["test", "-j", "1", "--format", "jsonl", "--no-confirm", "--max-runs", "200", "--random-seed", seed];
        let (text, _) = run(&args, &[example("shipping.erl")]);
        let without_times = |line: &str| {
            let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            ["seconds", "solver_seconds", "smt_seconds", "rechecked"].iter().for_each(|field| line[*field] = 0.into());
            line.to_string()
        };
        text.lines().map(without_times).collect::<Vec<_>>()
    };
    assert_eq!(test("7"), test("7"));
    assert_eq!(test("0").len(), test("7").len());
}

#[test]
fn queries_are_written_where_they_are_wanted() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dumps");
    let _ = std::fs::remove_dir_all(&folder);
    let (lines, code) = tested("tested:product/2", &["--dump-smt", &folder.display().to_string()]);
    assert_eq!((&lines[0]["reason"], code), (&"solved".into(), 1), "{lines:?}");
    assert!(std::fs::read_dir(&folder).is_ok_and(|files| files.count() > 0), "no query in {}", folder.display());
    let refusal = refused(&["test", "--dump-smt", "/dev/null/folder"], &[example("toy.erl")]);
    assert!(refusal.contains("--dump-smt /dev/null/folder"), "{refusal}");
}

#[test]
fn without_the_beam_nothing_is_confirmed() {
    let (lines, code) = tested("tested:crash/1", &["--no-confirm"]);
    assert_eq!((&lines[0]["confirmed"], &lines[0]["note"], code), (&false.into(), &"the BEAM was not asked".into(), 1));
}

#[test]
fn seeds_come_first() {
    let (lines, code) = tested("tested:crash/1", &["--seed", "[1000 + 17]", "--max-runs", "1"]);
    assert_eq!((&lines[0]["args"][0], &lines[0]["runs"], code), (&"1017".into(), &1.into(), 1), "{lines:?}");
}

#[test]
fn seeds_come_from_files() {
    let corpus = scratch("corpus.txt", "%% Found before.\n\n[1].\n[1000 + 17]\n");
    let (lines, code) = tested("tested:crash/1", &["--seed", &format!("@{}", corpus.display()), "--max-runs", "2"]);
    assert_eq!((&lines[0]["args"][0], &lines[0]["runs"], code), (&"1017".into(), &2.into(), 1), "{lines:?}");
    let wrong = scratch("wrong_corpus.txt", "[1]\n[1\n");
    let said = refused(&["test", "--seed", &format!("@{}", wrong.display())], &[program("tested.erl")]);
    assert!(said.contains("wrong_corpus.txt:2"), "{said}");
}

/// With the hash looked into, the number is found; with samples only, what is learnt of it is.
#[test]
fn a_function_is_not_looked_into_if_the_user_says_so() {
    let source = "-module(sealed).\n-export([open/2, hash/1]).\n-spec open(integer(), integer()) -> ok.\n\
        open(Key, Seal) -> case hash(Key) of Seal when Key =:= 10 -> error(open); _ -> ok end.\n\
        -spec hash(integer()) -> integer().\nhash(X) -> (X * X * X + 7) rem 1009.\n";
    let file = scratch("sealed.erl", source);
    let args = ["test", "--format", "jsonl", "--opaque", "sealed:hash/1"];
    let (text, code) = run(&args, &[file]);
    let lines = objects(&text);
    assert_eq!((&lines[0]["args"], code), (&serde_json::json!(["10", "1007"]), 1), "{text}");
    let tested: Vec<&Value> = lines.iter().filter(|line| line["type"] == "function").collect();
    assert_eq!(tested.len(), 1, "what is not looked into is not tested: {text}");

    let wrong =
        scratch("unsealed.erl", "-module(unsealed).\n-beagle({opaque, [hash/2]}).\n-export([f/1]).\nf(X) -> X.\n");
    let said = refused(&["test"], &[wrong]);
    assert!(said.contains("unsealed.erl") && said.contains("{hash,2} is not a function of this module"), "{said}");
}

#[test]
fn what_was_not_done_is_named() {
    let (lines, code) = tested("tested:denied/1", &[]);
    assert_eq!((&lines[0]["verdict"], code), (&"incomplete".into(), 0), "{lines:?}");
    assert_eq!(lines[0]["unsupported"][0], "file:delete/1");
    let (text, _) = run(&["test", "-f", "tested:denied/1"], &[program("tested.erl")]);
    assert!(text.contains("file:delete/1"), "{text}");
}

#[test]
fn people_see_the_line_the_call_and_the_exception() {
    let (text, code) = run(&["test", "-f", "tested:deep/1", "--max-runs", "100"], &[program("tested.erl")]);
    assert_eq!(code, 1);
    let part = |part: &str| assert!(text.contains(part), "{part}: {text}");
    part("error: tested:deep/1 raises error function_clause\n");
    part("│ a_tenth(X) when X rem 10 =:= 0 -> X div 10.\n");
    part("\n    tested:deep([1]).\n    ** exception error: no function clause matching tested:a_tenth(1)");
    part("  confirmed on the BEAM; found in run ");
    part("\ntested:deep/1: 1 finding; ");
    part("\n1 function tested: 1 likely bug; 0 do not fail the command");
    assert!(!text.contains('\u{1b}'), "colour in a pipe: {text}");
    let (quiet, _) = run(&["test", "-q", "-f", "tested:deep/1", "--max-runs", "100"], &[program("tested.erl")]);
    assert!(quiet.contains("tested:deep([1])") && !quiet.contains("tested:deep/1: 1 finding"), "{quiet}");
    let (verbose, _) = run(&["test", "-v", "-f", "tested:deep/1", "--max-runs", "100"], &[program("tested.erl")]);
    assert!(verbose.contains("decided by screening"), "{verbose}");
}

#[test]
fn the_report_does_not_depend_on_the_number_of_workers() {
    let test = |jobs: &str| {
        let args = ["test", "--max-runs", "30", "--steps", "100000", "-j", jobs];
        // Findings are told as they are found: functions side by side take turns.
        let (text, code) = run(&args, &[program("tested.erl")]);
        let mut printed: Vec<String> =
            text.lines().filter(|line| !line.contains("it varies")).map(str::to_string).collect();
        printed.sort();
        (printed, code)
    };
    assert_eq!(test("1"), test("4"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let script = format!(
        "{} test {} | true; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_beagle"),
        example("toy.erl").display()
    );
    let status = std::process::Command::new("bash").args(["-c", &script]).status().expect("bash can be started");
    assert_eq!(status.code(), Some(1));
}

/// Functions that call each other and fail in the same line are one finding with several names.
#[test]
fn one_bug_is_reported_once_for_all_functions_that_show_it() {
    let file = scratch(
        "through.erl",
        "-module(through).\n-export([usage/3, usage/2, usage/1, other/1]).\n\
         -spec usage(integer(), integer(), [term()]) -> ok.\nusage(A, B, _) -> usage(A, B).\n\
         -spec usage(integer(), integer()) -> ok.\nusage(A, B) -> ok = line(A), ok = line(B).\n\
         -spec usage(integer()) -> ok.\nusage(A) -> ok = usage(A, 0), ok.\n\
         -spec other(integer()) -> ok.\nother(A) when A > 5 -> ok = line(A - 5), ok;\nother(_) -> ok.\n\
         line(17) ->\n    error(unlucky);\nline(_) -> ok.\n",
    );
    let (text, code) = run(&["test", "-j", "2"], std::slice::from_ref(&file));
    assert_eq!(code, 1);
    let titles: Vec<&str> = text.lines().filter(|line| line.contains(" raises error unlucky")).collect();
    assert_eq!(titles, ["note: through:other/1 raises error unlucky"], "{text}");
    for part in [
        "also through through:usage/3, through:usage/2, through:usage/1\n    through:usage(17, 0, []).\n",
        "4 functions tested: no likely bugs, 1 other finding (1 deliberate); 0 do not fail the command",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (text, _) = run(&["test", "--format", "jsonl"], std::slice::from_ref(&file));
    let bugs: Vec<Value> = objects(&text).into_iter().filter(|line| line["type"] == "bug").collect();
    assert!(bugs.len() == 4 && bugs.iter().all(|bug| bug["defect"] == bugs[0]["defect"]), "{text}");
    let (text, _) = run(&["test", "--format", "github"], &[file]);
    assert_eq!(text.matches("::notice ").count(), 1, "{text}");
}

/// Reports for people are written when all is done; who waits is told of findings before.
#[test]
fn a_long_search_announces_findings_early() {
    let file = scratch(
        "slowly.erl",
        "-module(slowly).\n-export([quick/1, slow/1]).\n-spec quick(integer()) -> ok | {error, term()}.\n\
         quick(X) when X > 5 -> 1 div (X - 7), ok;\nquick(_) -> {error, small}.\n\
         -spec slow([integer()]) -> ok.\nslow(L) -> slow(L, 0).\nslow([], _) -> ok;\nslow([X|R], S) when X > S -> slow(R, X);\n\
         slow([_|R], S) -> slow(R, S).\n",
    );
    let announcements = |more: &[&str]| {
        let output = beagle(&[&["test", "-j", "1"], more].concat(), std::slice::from_ref(&file));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let announced = announcements(&["--budget", "3s"]);
    let line =
        announced.lines().find(|line| line.starts_with("beagle: likely bug: slowly:quick/1 raises error badarith"));
    assert!(line.is_some_and(|line| line.contains(": slowly:quick(")), "{announced}");
    assert_eq!(announced.matches("likely bug: ").count(), 1, "{announced}");
    assert_eq!(announcements(&["-q", "--budget", "3s"]), "");
}

/// How often and at how many places a function fails is known at the end, and may make its findings less urgent.
#[test]
fn what_was_announced_and_is_less_urgent_is_named_at_the_end() {
    let file = scratch(
        "hasty.erl",
        "-module(hasty).\n-export([share/2, slow/1]).\n-spec share(0..100, integer()) -> integer().\n\
         share(1, X) -> 100 div X;\nshare(2, X) -> 100 div (X - 1);\nshare(3, X) -> 100 div (X - 2);\nshare(_, X) -> X.\n\
         -spec slow([integer()]) -> ok.\nslow(L) -> slow(L, 0).\nslow([], _) -> ok;\nslow([X|R], S) when X > S -> slow(R, X);\n\
         slow([_|R], S) -> slow(R, S).\n",
    );
    let output = beagle(&["test", "--fresh", "-j", "1", "--budget", "3s"], std::slice::from_ref(&file));
    let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("beagle: likely bug: hasty:share/2 raises error badarith"), "{said}");
    assert!(text.contains("no likely bugs, 1 other finding (1 specification)"), "{text}");
    let line = "beagle: announced as a likely bug, but less urgent now that everything is tested: \
        hasty:share/2 (specification)\n";
    assert_eq!(said.matches(line).count(), 1, "{said}");
}
