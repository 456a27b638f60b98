//! What is meant and what is known, with everything that is kept, shared, cut into parts, and reported.

use crate::projects::scratch::{Ended, Scratch, bug};
use serde_json::Value;

const SOURCE: &str = "-module(till).\n-export([open/1, close/1]).\n\
    -spec open(integer()) -> ok.\nopen(1) -> error(jammed);\nopen(2) -> throw(empty);\nopen(_) -> ok.\n\
    -spec close(integer()) -> ok.\nclose(3) -> error(lost);\nclose(_) -> ok.\n";

fn till(name: &str) -> Scratch {
    let app = "{application, till, [{description, \"\"}, {vsn, \"1\"}, {applications, [kernel, stdlib]}]}.";
    Scratch::new(
        name,
        &[("rebar.config", "{erl_opts, [debug_info]}.\n"), ("src/till.app.src", app), ("src/till.erl", SOURCE)],
    )
}

fn is_reported_again(ended: &Ended) -> bool {
    ended.said.contains("as before, with a kept result:")
}

#[test]
fn findings_that_are_reported_again_are_compared_with_the_current_baseline() {
    let till = till("kept_baseline");
    let first = till.test(&["--format", "jsonl"]);
    assert_eq!((first.bugs().len(), first.code, is_reported_again(&first)), (3, 1, false), "{}", first.said);
    let written = till.test(&["--format", "jsonl", "--update-baseline"]);
    assert!(written.code == 0 && is_reported_again(&written), "{}", written.said);
    let baseline = till.read("beagle.baseline");
    assert_eq!(baseline.lines().filter(|line| line.starts_with("till:")).count(), 3, "{baseline}");

    // From any folder of the project.
    let known = till.test_in("src", &["--format", "jsonl"]);
    assert_eq!((known.bugs().len(), known.code, is_reported_again(&known)), (0, 0, true), "{}", known.said);
    assert_eq!(known.objects("summary")[0]["known"], 3);
    till.write("beagle.baseline", &baseline.replace("till:open/1 crash throw empty in till:open/1\n", ""));
    let less = till.test(&["--format", "jsonl"]);
    assert_eq!((less.bugs(), less.code), (vec![bug("till:open/1", "empty")], 1), "{}", less.stdout);
    assert!(is_reported_again(&less), "{}", less.said);
    till.write("beagle.baseline", &format!("{baseline}till:open/1 timeout\n"));
    let gone = till.test(&["--format", "jsonl"]);
    assert!(gone.code == 0 && is_reported_again(&gone) && gone.said.contains("this finding is gone"), "{}", gone.said);

    let cleaned = till.command_in("src", &["clean"]);
    assert!(cleaned.code == 0 && cleaned.stdout.contains("_build/beagle"), "{}{}", cleaned.stdout, cleaned.said);
    assert!(!is_reported_again(&till.test(&[])));
}

#[test]
fn expected_exceptions_decide_what_is_reported_again() {
    let till = till("kept_expectations");
    till.test(&["--format", "jsonl"]);
    let meant = till.test(&["--format", "jsonl", "--expect", "till:open/1 _ _"]);
    assert_eq!((meant.bugs(), is_reported_again(&meant)), (vec![bug("till:close/1", "lost")], false), "{}", meant.said);
    till.write("beagle.toml", "expectations = [\"till:open/1 _ _\"]\n");
    let again = till.test(&["--format", "jsonl"]);
    assert_eq!((again.bugs(), is_reported_again(&again)), (vec![bug("till:close/1", "lost")], true), "{}", again.said);
    assert_eq!(again.objects("summary")[0]["expected"], 2);
    // What a module says of itself is part of it.
    till.write("src/till.erl", &SOURCE.replace("-export", "-beagle({expect, {close/1, [lost]}}).\n-export"));
    let ended = till.test(&["--format", "jsonl"]);
    assert_eq!(
        (ended.bugs().len(), ended.code, is_reported_again(&ended)),
        (0, 0, false),
        "{}{}",
        ended.stdout,
        ended.said
    );
}

#[test]
fn what_was_known_in_the_first_turn_is_known_in_the_last() {
    let source = "-module(long).\n-export([f/2]).\n-spec f([integer()], integer()) -> integer().\n\
        f([7], _) -> error(seven);\nf([X | Rest], Sum) when X > Sum -> f(Rest, X);\nf([X | Rest], Sum) -> f(Rest, Sum - X);\n\
        f([], Sum) -> Sum.\n";
    let long = Scratch::new("turns", &[("src/long.erl", source)]);
    long.write("beagle.baseline", "long:f/2 crash error seven in long:f/2\n");
    let ended = long.test(&["--format", "jsonl", "--total-budget", "2s"]);
    assert_eq!((ended.bugs().len(), ended.code), (0, 0), "{}", ended.stdout);
    let function = &ended.objects("function")[0];
    assert_eq!((&function["known"], &function["verdict"]), (&1.into(), &"budget".into()), "{function}");
}

#[test]
fn known_findings_fail_no_report() {
    let till = till("known_reports");
    till.write(
        "beagle.baseline",
        "till:open/1 crash throw empty in till:open/1\ntill:close/1 crash error lost in till:close/1\n",
    );
    till.write("beagle.toml", "outputs = [\"junit=till.xml\", \"sarif=till.sarif\"]\nhtml = \"pages\"\n");
    let ended = till.test_in("src", &["--format", "github"]);
    assert_eq!((ended.code, ended.stdout.matches("::notice").count()), (1, 1), "{}", ended.stdout);
    assert!(ended.stdout.contains("2 functions tested: 1 bug, 2 known"), "{}", ended.stdout);
    let junit = till.read("till.xml");
    assert!(junit.contains("failures=\"1\"") && junit.contains("known: till:close/1 raises error lost"), "{junit}");
    let sarif: Value = serde_json::from_str(&till.read("till.sarif")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let states: Vec<_> = results.iter().filter(|result| result["baselineState"] == "unchanged").collect();
    assert_eq!((results.len(), states.len()), (3, 2), "{sarif}");
    // Seen from the root, wherever the command is run.
    let place = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(place, "src/till.erl");
    let index = till.read("pages/index.html");
    assert!(index.contains("Known bugs") && index.contains("known: till:close/1"), "{index}");
}

/// Numbers of functions are those of all that are chosen; parts know what is known, and so does their sum.
#[test]
fn parts_are_merged_with_what_is_known() {
    let till = till("known_parts");
    till.write(
        "beagle.baseline",
        "till:close/1 crash error lost in till:close/1\ntill:open/1 crash error jammed in till:open/1\n",
    );
    // For a function that only one part has.
    till.write("beagle.toml", "seeds = [\"[3]\"]\n");
    let mut chosen = Vec::new();
    for part in ["1/2", "2/2"] {
        let file = format!("part{}", &part[..1]);
        chosen.extend(till.list(&["--partition", part]));
        let ended = till.test(&["--partition", part, "--save", &file, "--format", "jsonl"]);
        assert!(ended.code < 2, "{}", ended.said);
    }
    chosen.sort();
    assert_eq!(chosen, ["till:close/1", "till:open/1"]);
    let merged = till.command_in("", &["merge", "part2", "part1", "--format", "jsonl"]);
    assert_eq!((merged.bugs(), merged.code), (vec![bug("till:open/1", "empty")], 1), "{}", merged.stdout);
    assert_eq!(merged.objects("summary")[0]["known"], 2);
    let order: Vec<_> = merged.objects("function").iter().map(|function| function["function"].clone()).collect();
    assert_eq!(order, till.list(&[]));
}

/// The baseline of the day on which parts are merged counts, and what of it is gone is told.
#[test]
fn merging_compares_with_a_baseline() {
    let till = till("merged_baseline");
    for part in ["1/2", "2/2"] {
        let file = format!("part{}", &part[..1]);
        let ended = till.test(&["--partition", part, "--save", &file, "--format", "jsonl"]);
        assert!(ended.code < 2, "{}", ended.said);
    }
    let merge =
        |more: &[&str]| till.command_in("", &[&["merge", "part1", "part2", "--format", "jsonl"], more].concat());
    assert_eq!((merge(&[]).bugs().len(), merge(&[]).code), (3, 1));
    let lines = "till:close/1 crash error lost in till:close/1\ntill:open/1 crash throw empty in till:open/1\n";
    till.write("known", &format!("{lines}till:close/1 timeout\ntill:gone/7 crash error x\nother:f/1 deadlock\n"));
    let known = merge(&["--baseline", "known"]);
    assert_eq!((known.bugs(), known.code), (vec![bug("till:open/1", "jammed")], 1), "{}", known.stdout);
    for gone in ["known:3: this finding is gone", "known:4: this finding is gone"] {
        assert!(known.said.contains(gone), "{gone}: {}", known.said);
    }
    assert!(!known.said.contains("known:5"), "it was not looked for: {}", known.said);

    let written = merge(&["--update-baseline"]);
    assert_eq!((written.code, till.read("beagle.baseline").matches("till:").count()), (0, 6), "{}", written.said);
    assert_eq!((merge(&[]).bugs().len(), merge(&[]).code), (0, 0), "that of the project");
    till.write("beagle.toml", "baseline = \"known\"\n");
    assert_eq!(merge(&[]).bugs().len(), 1, "that of its configuration");
    assert_eq!(merge(&["--no-config"]).bugs().len(), 0);
    let refused = merge(&["--baseline", "none"]);
    assert!(refused.code == 2 && refused.said.contains("there is no such file"), "{}", refused.said);
}

#[test]
fn reports_are_written_when_nothing_has_changed() {
    let till = till("unchanged_reports");
    till.tool("git", &["init", "-q"]);
    till.write(".gitignore", "_build\n*.xml\n");
    till.tool("git", &["add", "."]);
    till.tool("git", &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"]);
    let ended = till.test(&["--changed-since", "HEAD", "--output", "junit=none.xml"]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.said);
    assert!(
        ended.stdout.contains("0 functions tested") && till.read("none.xml").contains("tests=\"0\""),
        "{}",
        ended.stdout
    );
}

#[test]
fn tests_are_made_of_what_is_new_and_of_what_is_meant() {
    let till = till("known_tests");
    till.write("beagle.baseline", "till:open/1 crash error jammed in till:open/1\n");
    let args = ["--expect", "till:open/1 throw _", "--emit-tests", "test", "--emit-tests-for", "paths"];
    let ended = till.test(&args);
    assert_eq!(ended.code, 1, "{}", ended.stdout);
    let tests = till.read("test/till_beagle_tests.erl");
    assert!(!tests.contains("jammed"), "{tests}");
    assert!(tests.contains("lost") && tests.contains("empty"), "{tests}");
}

/// What was decided is enough to make tests of; of paths only if somebody has wanted them before.
#[test]
fn tests_are_made_of_kept_results() {
    let till = till("kept_tests");
    till.test(&[]);
    let bugs = till.test(&["--emit-tests", "test"]);
    assert!(bugs.code == 1 && is_reported_again(&bugs), "{}", bugs.said);
    let tests = till.read("test/till_beagle_tests.erl");
    assert_eq!(["jammed", "empty", "lost"].map(|reason| tests.contains(reason)), [true; 3], "{tests}");

    let paths = till.test(&["--emit-tests", "first", "--emit-tests-for", "paths"]);
    assert!(!is_reported_again(&paths), "{}", paths.said);
    let again = till.test(&["--emit-tests", "second", "--emit-tests-for", "paths"]);
    assert!(is_reported_again(&again), "{}", again.said);
    let [first, second] = ["first", "second"].map(|folder| till.read(&format!("{folder}/till_beagle_tests.erl")));
    assert!(first == second && first.len() > tests.len(), "{first}\n{second}");
    assert!(is_reported_again(&till.test(&["--format", "github"])), "what has more is enough for what needs less");
}
