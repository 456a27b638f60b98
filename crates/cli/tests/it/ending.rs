//! What never ends is told from what only takes long.

use crate::common::{program, run};
use serde_json::Value;
use std::collections::BTreeMap;

/// `programs/endings.erl` says by the names of its functions what they are.
#[test]
fn endless_loops_are_claimed_and_nothing_else() {
    let args = ["test", "--format", "jsonl", "--steps", "1000000", "--budget", "20s"];
    let (text, code) = run(&args, &[program("endings.erl")]);
    assert_eq!(code, 1, "{text}");
    let objects: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let mut found: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for object in &objects {
        let entry = object["function"].as_str().map(|function| found.entry(function).or_default());
        if object["type"] == "bug"
            && let Some(entry) = entry
        {
            entry.push(object);
        }
    }
    assert_eq!(found.len(), 30, "{text}");
    let mut bugs = 0;
    for (function, findings) in found {
        let said = format!("{function}: {findings:?}");
        let name = function.strip_prefix("endings:").expect("a function of the module");
        if name.starts_with("endless_") {
            let [finding] = findings[..] else { panic!("{said}") };
            assert_eq!((&finding["kind"], &finding["endless"]), (&"timeout".into(), &true.into()), "{said}");
            assert_eq!((&finding["confirmed"], &finding["code"]), (&true.into(), &"B006".into()), "{said}");
            bugs += 1;
        } else if name.starts_with("stuck_") {
            let [finding] = findings[..] else { panic!("{said}") };
            assert_eq!((&finding["kind"], &finding["confirmed"]), (&"deadlock".into(), &true.into()), "{said}");
            bugs += 1;
        } else {
            // What ends in time on the BEAM is not told at all.
            for finding in findings {
                assert_eq!((&finding["kind"], &finding["endless"]), (&"timeout".into(), &false.into()), "{said}");
                assert_eq!(finding["confirmed"], false, "{said}");
                assert!(finding["code"] == "B009" || finding["code"] == "B010", "{said}");
            }
        }
    }
    let summary = objects.last().expect("a summary");
    assert_eq!(summary["bugs"], bugs, "{summary}");
}

#[test]
fn the_report_says_why_it_does_not_end() {
    let printed = |function: &str| {
        let args = ["test", "--steps", "200000", "--budget", "20s", "-f", function];
        run(&args, &[program("endings.erl")])
    };
    for (function, words) in [
        ("endings:endless_cycle/0", "does not end: the same state comes back after 5 calls"),
        (
            "endings:endless_inside/0",
            "does not end: endings:inside/1 is called again with the same arguments, 1 call later, before it has returned",
        ),
        (
            "endings:endless_factorial/0",
            "it is back in endings:factorial/1 after 1 call, and what has changed meanwhile",
        ),
        ("endings:endless_accumulator/0", "does not end, and fills memory: it is back in endings:accumulate/2"),
    ] {
        let (text, code) = printed(function);
        assert!(text.contains(words), "{text}");
        assert!(text.contains("confirmed on the BEAM: "), "{text}");
        assert_eq!(code, 1, "{text}");
    }
    let (text, code) = printed("endings:long_ackermann/0");
    assert!(text.contains("took longer than 200,000 calls here and 2 s on the BEAM"), "{text}");
    assert!(text.contains("not known to be endless") && text.contains("1 input takes longer than a run may"), "{text}");
    assert_eq!(code, 0, "{text}");
    let (text, code) = printed("endings:long_list/0");
    assert!(text.contains("needs more than 128 MB on the BEAM"), "{text}");
    assert_eq!(code, 0, "{text}");
}
