//! What is meant, what is known, and what codes say.

use crate::projects::scratch::{Scratch, bug};

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
    assert_eq!((ended.bugs().len(), ended.code), (0, 0), "{}", ended.stdout);
    let ended = meant.test(&["--expect", "meant:p* {_, _}", "--expect", "meant {exit, gone}"]);
    assert!(ended.stdout.contains("no bugs") && ended.stdout.contains("4 expected"), "{}", ended.stdout);
    meant.write("beagle.toml", "expectations = [\"meant:other/1 exit gone\"]\n");
    assert_eq!(meant.test(&["--format", "jsonl"]).bugs(), [bug("meant:parse/1", "{unmeant,3}")]);
    assert!(meant.refused(&["--expect", "meant:parse/1"]).contains("--expect meant:parse/1"));

    for (attribute, message) in [
        ("{expct, {parse/1, [badarg]}}", "unknown setting expct"),
        ("{expect, {nothing/1, [badarg]}}", "{nothing,1} is not a function of this module"),
        ("{expect, 7}", "7 is not an exception"),
        ("nonsense", "this is not a setting"),
    ] {
        meant.write("src/meant.erl", &MEANT.replace("{expect, {parse/1, [{throw, '_'}, badarg]}}", attribute));
        let said = meant.refused(&[]);
        assert!(said.contains("meant.erl") && said.contains(message), "{attribute}: {said}");
    }
}

/// What an exception means to the function that raises it, its caller has not said.
#[test]
fn what_a_called_function_means_its_caller_does_not() {
    let source = "-module(calls).\n-beagle({expect, {inner/1, [negative]}}).\n-export([inner/1, outer/1]).\n\
        -spec inner(integer()) -> ok.\ninner(N) when N < 0 -> error(negative);\ninner(_) -> ok.\n\
        -spec outer(integer()) -> ok.\nouter(N) -> ok = inner(N - 100), ok.\n";
    let calls = Scratch::new("calls", &[("src/calls.erl", source)]);
    let ended = calls.test(&["--format", "jsonl"]);
    assert_eq!(ended.bugs(), [bug("calls:outer/1", "negative")], "{}", ended.stdout);
    let both = source.replace("{inner/1, [negative]}", "[negative]");
    calls.write("src/calls.erl", &both);
    assert_eq!(calls.test(&["--format", "jsonl"]).bugs(), [], "the whole module means it");
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
    assert_eq!((ended.bugs(), ended.code), (vec![bug("near:f/1", "{bad,1}")], 1), "{}", ended.stdout);
    let functions = ended.objects("function");
    let g = functions.iter().find(|function| function["function"] == "near:g/1").expect("tested");
    assert_eq!((&g["verdict"], &g["loss_codes"][0]), (&"incomplete".into(), &"B055".into()), "{g}");
    let all = near.test(&["--format", "jsonl", "--expect", "{bad, _}"]);
    assert!(all.objects("function").iter().all(|function| function["verdict"] == "exhausted"), "{}", all.stdout);
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
    assert_eq!(ended.code, 0, "{}", ended.stdout);
    assert!(ended.stdout.contains("3 known") && !ended.stdout.contains("error:"), "{}", ended.stdout);

    // Lines move, one bug goes, and one comes that looks like another.
    let changed = source.replace("-spec f", "%% New.\n\n-spec f").replace("error(worse)", "ok");
    known.write("src/known.erl", &changed.replace("f(_) -> ok", "f(5) -> error({bad, 5});\nf(_) -> ok"));
    let ended = known.test(&["--format", "jsonl"]);
    assert_eq!((ended.bugs().len(), ended.code), (1, 1), "{}", ended.stdout);
    assert!(ended.said.contains("beagle.baseline:4: this finding is gone"), "{}", ended.said);
    assert!(!ended.said.contains("beagle.baseline:3") && !ended.said.contains("beagle.baseline:5"), "{}", ended.said);
    let partial = known.test(&["--update-baseline", "-f", "known:f/1"]);
    assert_eq!(partial.code, 0);
    let text = known.read("beagle.baseline");
    assert_eq!(text.matches("known:f/1 crash error {bad,_} in known:f/1").count(), 2, "{text}");
    assert!(text.contains("worse"), "what was not tested is kept: {text}");

    known.write("beagle.baseline", "nonsense\n");
    assert!(known.refused(&[]).contains("beagle.baseline:1: \"nonsense\" is not a finding"));
    assert!(known.refused(&["--baseline", "nothing"]).contains("there is no such file"));
}

#[test]
fn codes_are_explained() {
    let denied = "-module(denied).\n-export([f/1]).\n-spec f(string()) -> any().\nf(X) -> file:delete(X).\n";
    let denied = Scratch::new("denied", &[("src/denied.erl", denied)]);
    let one = denied.command_in("", &["explain", "B001"]);
    assert!(
        one.code == 0 && one.stdout.starts_with("B001 crash") && one.stdout.contains("**What to do.**"),
        "{}",
        one.stdout
    );
    let all = denied.command_in("", &["explain"]);
    assert!(
        all.code == 0 && all.stdout.lines().count() > 20 && all.stdout.contains("B046 effect denied"),
        "{}",
        all.stdout
    );
    let none = denied.command_in("", &["explain", "B999"]);
    assert!(none.code == 2 && none.said.contains("there is no code \"B999\""), "{}", none.said);

    let ended = denied.test(&["--format", "jsonl", "--max-runs", "5"]);
    let function = &ended.objects("function")[0];
    assert!(function["loss_codes"].as_array().is_some_and(|codes| codes.contains(&"B046".into())), "{function}");
    assert!(denied.test(&["-v", "--max-runs", "5"]).stdout.contains("ended at file:delete/1, which is denied [B046]"));
}
