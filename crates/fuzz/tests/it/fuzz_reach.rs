//! Every line of generated modules as a target: what is said of it, against what all inputs do.
//!
//! No line that an input reaches may be called unreachable, no call may be shown that does not come to its line, and
//! nearly all lines must be decided. Without `BEAGLE_FUZZ_SECONDS` the work is always the same.

use crate::generated::{LIMITS, STEPS, TIME, call, in_batches, inputs, open};
use campaign::reaching::{Place, Reaching};
use campaign::{Files, SolverOptions, Timed, Warnings, settings};
use frontend::Languages;
use fuzz::{LARGEST_INPUT, ReachModule, reach_module, seed};
use interaction::MachineExecutor;
use path::{Executor, Mark};
use reach::marks_of;
use report::ReachVerdict;
use session::{Opaque, Session, WantedMarks};
use solver::Distrusted;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use term::{Atom, FunctionName, Term};

const MODULES_PER_BATCH: usize = 12;
/// Of all targets, so many of a hundred must be decided.
const BAR: usize = 98;

#[derive(Default)]
struct Score {
    targets: usize,
    reached: usize,
    unreachable: usize,
    segments: u64,
    runs: u64,
    open: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn lines_are_reached_or_refuted() {
    let mut score = Score::default();
    in_batches(MODULES_PER_BATCH, "reached", |random, _, name, folder| {
        compare(&reach_module(random, name), name, folder, &mut score);
    });
    let Score { targets, reached, unreachable, segments, runs, open, wrong } = score;
    let decided = reached + unreachable;
    println!(
        "reach: {targets} lines, {reached} reached, {unreachable} unreachable, {}.{} % decided, {segments} segments, \
         {runs} runs",
        decided * 100 / targets.max(1),
        decided * 1000 / targets.max(1) % 10
    );
    open.iter().for_each(|line| println!("reach: open: {line}"));
    assert!(wrong.is_empty(), "seed {}: {}", seed(), wrong.join("\n"));
    assert!(decided * 100 >= BAR * targets, "seed {}: only {decided} of {targets} are decided", seed());
}

fn compare(generated: &ReachModule, name: &str, folder: &Path, score: &mut Score) {
    let (code, file) = open(&generated.text, name, folder, true);
    let module = Atom::new(name);
    let program = code.load(module).expect("it is compiled").expect("it is there");
    let wanted: WantedMarks = Arc::new(marks_of(&program).iter().map(|place| place.mark).collect());
    let mut session = Opaque::default().session_with_marks(&code, LIMITS, &wanted).expect("a session");
    let executed = all_marks(&mut session, module, &generated.entries);
    let lines: BTreeSet<u32> = marks_of(&program).iter().map(|place| place.mark.line).collect();
    let warnings = Warnings::default();
    let options = SolverOptions { path: "z3".into(), time: Duration::from_secs(2), dump: None, second: None };
    let mut solver = Timed::start(&options, &Distrusted::default(), &warnings);
    let languages = Languages::new(Arc::new(beam::ErlangFrontEnd::without_code()), Vec::new());
    let files = Files::new(HashMap::from([(module, file.clone())]), HashMap::new(), None);
    let settings = settings(u64::MAX, STEPS);
    let mut reaching =
        Reaching::in_module(&mut session, &mut solver, &languages, &files, (module, wanted), settings, TIME);
    for line in lines {
        let shown = format!("{name}.erl:{line}");
        let place = Place::read_line(&shown).expect("a place");
        let arrived = reaching.reach(&shown, &place).expect("the code is there");
        let is_executed = executed.iter().any(|mark| mark.line == line);
        score.targets += 1;
        score.segments += arrived.report.segments;
        score.runs += arrived.report.runs;
        match &arrived.report.verdict {
            ReachVerdict::Reached(_) => {
                score.reached += 1;
                if !is_executed {
                    score.wrong.push(format!("{shown} is never executed:\n{}", arrived.report.as_text()));
                }
            }
            ReachVerdict::Unreachable { .. } => {
                score.unreachable += 1;
                if is_executed {
                    let text = arrived.report.as_text();
                    score.wrong.push(format!("{shown} is executed: {text}\n{}", generated.text));
                }
            }
            ReachVerdict::Unconfirmed { .. } => score.wrong.push(format!("{shown}: the BEAM was not to be asked")),
            ReachVerdict::Undecided { .. } => {
                let line = generated.text.lines().nth(line as usize - 1).unwrap_or_default();
                score.open.push(format!("{shown} (executed: {is_executed}): {line}"));
            }
            ReachVerdict::NoCode => score.wrong.push(format!("{shown} has a mark")),
        }
    }
}

/// The marks that any input comes to.
fn all_marks(session: &mut Session, module: Atom, entries: &[String]) -> BTreeSet<Mark> {
    let mut all = BTreeSet::new();
    for entry in entries {
        let unit = session.unit(module, Atom::new(entry), 2).expect("it is exported");
        let function = FunctionName { module, function: Atom::new(entry), arity: 2 };
        let args = inputs(function.arity);
        let mut executor = MachineExecutor::new(&mut session.machine);
        for first in 0..=LARGEST_INPUT {
            for second in 0..=LARGEST_INPUT {
                let data = [Term::Int(first), Term::Int(second)];
                let call = call(function, &args, &data, &unit.contract.types);
                all.extend(executor.replay(&call, None).marks.in_order());
            }
        }
    }
    all
}
