//! Solvers that lie: whatever they call impossible, neither `exhausted` nor `unreachable` is said where trying out inputs
//! finds a failure. `BEAGLE_ATTACK=full` (`make attack`) tells every possible lie, instead of some.

use crate::common::{beagle, run};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lying");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

/// Z3, but checks whose number fulfils a condition of the shell are refuted, whatever they ask. With a file, checks are
/// counted there, over all processes of the solver.
fn liar_if(name: &str, condition: &str, counter: Option<&Path>) -> String {
    let keep = counter.map_or(String::new(), |file| format!("echo $count > {}", file.display()));
    let begin = counter.map_or("0".to_owned(), |file| format!("$(cat {})", file.display()));
    let script = format!(
        r#"#!/bin/sh
count=0
lies=
while IFS= read -r line; do
    case "$line" in
        '(check-sat'*)
            [ "$count" = 0 ] && count={begin}
            count=$((count + 1))
            {keep}
            lies=
            [ {condition} ] && lies=yes
            [ "$lies" ] && line='(echo "unsat")' ;;
        '(get-unsat-assumptions)') [ "$lies" ] && line='(echo "()")' ;;
    esac
    printf '%s\n' "$line"
done | z3 -in -smt2
"#
    );
    let file = folder().join(name);
    std::fs::write(&file, script).expect("it is written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    file.display().to_string()
}

/// Z3, but every n-th check is refuted.
fn liar(every: u32) -> String {
    liar_if(&format!("liar_{every}"), &format!("$((count % {every})) = 0"), None)
}

/// Whether every possible lie is told.
fn is_full() -> bool {
    std::env::var_os("BEAGLE_ATTACK").is_some_and(|value| value == "full")
}

/// Has a command ask a solver that lies in one check, the first, the second and so on, and is honest otherwise. `ask` gets
/// the arguments that name the solver, and returns a wrong claim, if there is one. Returns the number of lies.
fn lie_once(name: &str, ask: &dyn Fn(&[&str]) -> Option<String>) -> usize {
    let counter = folder().join(format!("{name}.count"));
    let asked_with = |lie: usize| {
        std::fs::write(&counter, "0").expect("it is written");
        let solver = liar_if(&format!("once_{name}"), &format!("\"$count\" = {lie}"), Some(&counter));
        let wrong = ask(&["--solver", &solver]);
        let asked = std::fs::read_to_string(&counter).expect("it was counted").trim().parse::<usize>();
        (wrong, asked.expect("a number"))
    };
    let (wrong, checks) = asked_with(0);
    assert_eq!(wrong, None, "{name}: an honest solver");
    assert!(checks > 0, "{name}: nothing was asked");
    let lies: Vec<usize> = (1..=checks).filter(|lie| is_full() || lie % checks.div_ceil(2) == 0).collect();
    for lie in &lies {
        let (wrong, _) = asked_with(*lie);
        assert_eq!(wrong, None, "{name}: the only lie was in check {lie} of {checks}");
    }
    lies.len()
}

/// Each has a failure that only a system of equations leads to, and ways that are really impossible. `found/0` of each
/// is an input that fails.
const SOURCE: &str = "-module(equations).
-export([two/2, three/3, chain/2, lists/1, parity/2]).

-spec two(integer(), integer()) -> ok.
two(X, Y) when X + Y =:= 100010, X - Y =:= 4000 -> error(two);
two(X, Y) when X + Y =:= 10, X - Y =:= 5 -> error(never);
two(_, _) -> ok.

-spec three(integer(), integer(), integer()) -> ok.
three(X, Y, Z) when X + Y + Z =:= 70369, 2 * X + 3 * Y - Z =:= -95061 ->
    case 7 * X - 5 * Y + 11 * Z of
        1860475 -> error(three);
        _ -> ok
    end;
three(X, Y, Z) when X + Y > Z, X + Y < Z -> error(never);
three(_, _, _) -> ok.

-spec chain(integer(), integer()) -> ok.
chain(X, Y) when 3 * X + 5 * Y =:= 77, X - Y > 100 ->
    if X + Y < -1000 -> ok; X + 2 * Y =:= -5 -> error(chain); true -> ok end;
chain(_, _) -> ok.

-spec lists([integer()]) -> ok.
lists([A, B, C]) when A + B =:= 1234, B + C =:= 4321, A - C =:= -3087, A > 1000 -> error(lists);
lists([A, B]) when A + B =:= 7, A - B =:= 2 -> error(never);
lists(_) -> ok.

-spec parity(integer(), integer()) -> ok.
parity(X, Y) when 2 * X + 4 * Y =:= 9001 -> error(never);
parity(X, Y) when 6 * X + 4 * Y =:= 9002, X > Y, Y > 100 -> error(parity);
parity(_, _) -> ok.
";

/// Of each function, what fails, and an input that does.
const FAILURES: &[(&str, &str, &str)] = &[
    ("equations:two/2", "two", "equations:two(52005, 48005)"),
    ("equations:three/3", "three", "equations:three(123456, -98765, 45678)"),
    ("equations:chain/2", "chain", "equations:chain(179, -92)"),
    ("equations:lists/1", "lists", "equations:lists([1001, 233, 4088])"),
    ("equations:parity/2", "parity", "equations:parity(1295, 308)"),
];

fn source() -> PathBuf {
    let file = folder().join("equations.erl");
    std::fs::write(&file, SOURCE).expect("a module");
    file
}

fn functions(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter(|line| line["type"] == "function").collect()
}

/// What fails there, so that a table of failures that is wrong is found out.
#[test]
fn the_failures_are_there() {
    for (_, reason, call) in FAILURES {
        let (text, _) = run(&["run", call], &[source()]);
        let output = beagle(&["run", call], &[source()]);
        let said = format!("{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.contains(reason), "{call}: {said}");
    }
}

#[test]
fn an_honest_solver_is_asked_again_and_agreed_with() {
    let (text, code) = run(&["test", "--fresh", "--format", "jsonl"], &[source()]);
    assert_eq!(code, 1);
    let functions = functions(&text);
    assert_eq!(functions.len(), FAILURES.len());
    let mut refutations = 0;
    for function in &functions {
        let rechecked = &function["rechecked"];
        assert_eq!(function["exhaustive"], true, "{function}");
        assert_eq!(rechecked["refutations"], rechecked["asked"], "{function}");
        assert_eq!(rechecked["agreed"], rechecked["asked"], "{function}");
        refutations += rechecked["refutations"].as_u64().expect("a number");
    }
    assert!(refutations > 0, "nothing had to be refuted: {text}");
}

#[test]
fn a_lie_is_not_the_basis_of_a_claim() {
    let mut caught = 0;
    for every in 1..=5 {
        let solver = liar(every);
        let args = ["test", "--fresh", "-j", "1", "--format", "jsonl", "--solver", &solver, "--second-solver", "z3"];
        let output = beagle(&args, &[source()]);
        let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        for (name, reason, _) in FAILURES {
            let function = functions(&text).into_iter().find(|line| line["function"] == *name).expect("it was tested");
            let found = text.lines().any(|line| {
                let line: Value = serde_json::from_str(line).expect("JSON");
                line["type"] == "bug" && line["function"] == *name && line["reason"] == *reason
            });
            assert!(found || function["exhaustive"] == false, "every {every}: {name} is not exhausted: {function}");
        }
        let words = format!("solver liar_{every} 4.");
        let is_caught =
            said.contains(&words) && said.contains("called a satisfiable query unsatisfiable; it is not asked");
        assert_eq!(said.matches("it is not asked any more").count(), usize::from(is_caught), "{said}");
        let losses = functions(&text)
            .iter()
            .any(|function| function["loss_codes"].as_array().is_some_and(|codes| codes.contains(&"B056".into())));
        assert_eq!(is_caught, losses, "{said}\n{text}");
        caught += usize::from(is_caught);
    }
    assert!(caught >= 3, "{caught} of 5 liars were caught");
}

/// A solver that is honest except for one query, which may be the only one that decides.
#[test]
fn a_single_lie_is_not_the_basis_of_a_claim() {
    let mut told = 0;
    for (function, reason, _) in FAILURES {
        for second in [&["--second-solver", "z3"][..], &[]] {
            let ask = |solver: &[&str]| {
                let args = ["test", "--fresh", "-j", "1", "--format", "jsonl", "--no-confirm", "-f", function];
                let (text, _) = run(&[&args, solver, second].concat(), &[source()]);
                let is_found = text.contains(&format!("\"reason\":\"{reason}\""));
                let is_claimed = functions(&text).iter().any(|function| function["exhaustive"] == true);
                (is_claimed && !is_found).then_some(text)
            };
            told += lie_once(&format!("{reason}_{}", second.len()), &ask);
        }
    }
    println!("a single lie of a solver: {told} told, none believed");
}

/// Proofs that nothing reaches a line rest on refutations as well.
#[test]
fn a_single_lie_proves_nothing_unreachable() {
    let mut told = 0;
    for (function, reason, _) in FAILURES {
        let line = SOURCE.lines().position(|line| line.contains(&format!("error({reason})"))).expect("a line") + 1;
        let ask = |solver: &[&str]| {
            let target = format!("{}:{line}", source().display());
            let args = ["reach", &target, "--from", function, "--format", "jsonl", "--no-confirm"];
            let (text, _) = run(&[&args, solver].concat(), &[]);
            text.contains("\"verdict\":\"unreachable\"").then_some(text)
        };
        told += lie_once(&format!("reach_{reason}"), &ask);
    }
    println!("a single lie of a solver about a target: {told} told, none believed");
}
