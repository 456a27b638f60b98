//! What a report begins with: in each of these programs one bug is planted among findings that hardly matter, and it is
//! the first that is shown. The whole reports are kept beside the programs; BEAGLE_BLESS=1 writes them again.

use crate::common::{beagle, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ranking").join(name)
}

/// As they are unless somebody says otherwise.
const DEFAULTS: [&str; 4] = ["--show", "likely", "--fail-on", "likely"];
const BUDGET: [&str; 6] = ["test", "--fresh", "--max-runs", "100", "--budget", "600s"];

/// The report for people, with the folder of the samples left out.
fn report(name: &str) -> (String, i32) {
    let args = [&BUDGET[..], &DEFAULTS, &["-q"]].concat();
    let (text, code) = run(&args, &[sample(&format!("{name}.erl"))]);
    let folder = sample("");
    (text.replace(&*folder.to_string_lossy(), ""), code)
}

#[test]
fn reports_begin_with_the_planted_bug() {
    for (name, planted) in [
        ("deliberate", "deliberate:parse/1 raises error function_clause"),
        ("wide", "wide:port/1 returns"),
        ("started", "started:parse_line/1 raises error {case_clause,"),
        ("printed", "printed:usage/1 raises error badarg"),
        ("made", "made:last/1 raises error function_clause"),
        ("handed", "handed:value/1 raises error {bad_generator,"),
    ] {
        let (text, code) = report(name);
        assert!(text.starts_with(&format!("error: {planted}")), "{text}");
        assert_eq!(code, 1, "{text}");
        let kept = sample(&format!("{name}.txt"));
        if std::env::var_os("BEAGLE_BLESS").is_some() {
            std::fs::write(&kept, format!("{text}\n")).expect("the report can be written");
        }
        let kept = std::fs::read_to_string(kept).unwrap_or_default();
        assert_eq!(format!("{text}\n"), kept, "the report of {name}.erl has changed");
    }
}

#[test]
fn programs_get_defects_in_the_order_of_their_rank() {
    let args = [&BUDGET[..], &DEFAULTS, &["--format", "jsonl"]].concat();
    let (text, _) = run(&args, &[sample("deliberate.erl")]);
    let objects: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let defects: Vec<&Value> = objects.iter().filter(|object| object["type"] == "defect").collect();
    let bugs: Vec<&Value> = objects.iter().filter(|object| object["type"] == "bug").collect();
    let ranks: Vec<u64> = defects.iter().filter_map(|defect| defect["rank"].as_u64()).collect();
    assert_eq!(ranks, (1..=defects.len() as u64).collect::<Vec<_>>());
    assert_eq!(defects[0]["category"], "likely");
    assert_eq!(defects[0]["functions"][0], "deliberate:parse/1");
    assert!(defects[0]["why"][0].as_str().is_some_and(|why| why.contains("error return")), "{}", defects[0]);
    assert!(defects.iter().filter(|defect| defect["category"] == "deliberate").count() >= 4, "{text}");
    // Every finding is in exactly one defect.
    let mut grouped: Vec<&str> = defects
        .iter()
        .flat_map(|defect| defect["defects"].as_array().expect("a list"))
        .filter_map(Value::as_str)
        .collect();
    let mut found: Vec<&str> = bugs.iter().filter_map(|bug| bug["defect"].as_str()).collect();
    grouped.sort_unstable();
    found.sort_unstable();
    found.dedup();
    assert_eq!(grouped, found);
}

#[test]
fn what_fails_is_up_to_the_user() {
    let file = [sample("deliberate.erl")];
    let test = |options: &[&str]| {
        let args = [&BUDGET[..], &["-f", "deliberate:currency/1"], options].concat();
        let output = beagle(&args, &file);
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    };
    let (text, code) = test(&["--show", "likely"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("no likely bugs, 1 other finding (1 deliberate); 1 does not fail the command"), "{text}");
    assert!(text.contains("deliberate:currency/1: 1 deliberate") && !text.contains("unknown_currency"), "{text}");
    assert_eq!(test(&["--fail-on", "all"]).1, Some(1));
    assert_eq!(test(&["--fail-on", "likely,deliberate"]).1, Some(1));
    let (text, _) = test(&["--show", "all"]);
    assert!(text.contains("deliberate exception: the code raises this exception itself"), "{text}");
    let (_, code) = test(&["--show", "everything"]);
    assert_eq!(code, Some(2));
}

#[test]
fn alternatives_and_errors_that_nobody_takes_are_told_apart() {
    let args = [&BUDGET[..], &DEFAULTS, &["--format", "jsonl"]].concat();
    let (text, _) = run(&args, &[sample("alternatives.erl")]);
    let objects = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object"));
    let defects: Vec<Value> = objects.filter(|object| object["type"] == "defect").collect();
    let of = |function: &str| -> &Value {
        let is_meant = |defect: &&Value| defect["functions"][0] == function;
        defects.iter().find(is_meant).unwrap_or_else(|| panic!("nothing of {function}: {text}"))
    };
    for (function, refused, unhandled) in [
        ("alternatives:append/2", true, false),
        ("alternatives:open/2", true, false),
        ("alternatives:convert/2", false, false),
        ("alternatives:shorten/1", false, false),
        ("alternatives:codepoints/1", false, true),
    ] {
        let signals = &of(function)["signals"];
        assert_eq!(signals["refused_alternative"] == true, refused, "{function}: {signals}");
        assert_eq!(signals["unhandled_error"] == true, unhandled, "{function}: {signals}");
    }
}
