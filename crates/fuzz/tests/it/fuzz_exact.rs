//! Claims about integers that are too large for floats, and about functions that are compared, against what the BEAM does
//! with a grid of inputs around these limits.
//!
//! The grids do not have all inputs, so they cannot confirm a claim; what they contradict is wrong. A search that claims
//! to be exhausted must have found every failure of the grid, and no line that an input of the grid executes may be
//! called unreachable, nor a side of a branch that it takes. Without `BEAGLE_FUZZ_SECONDS` the work is always the same.

use crate::generated::{LIMITS, STEPS, TIME, call, in_batches, inputs};
use campaign::reaching::{Place, Reaching};
use campaign::{Files, SolverOptions, Timed, Until, Warnings, settings};
use frontend::{CodeConfig, Evaluation, Languages};
use fuzz::{About, BruteForce, ExactFunction, ExactModule, Observed, Random, exact_module, product, seed};
use interaction::MachineExecutor;
use path::{Executor, Mark, Outcome, Raised};
use reach::marks_of;
use report::ReachVerdict;
use search::{Exploration, Failure, Settings};
use session::{Opaque, Session, WantedMarks};
use solver::{Chain, Distrusted, Limit, SmtSettings};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use term::{Atom, FunctionName, Term};

const MODULES_PER_BATCH: usize = 6;
const MOST_RUNS: u64 = 200;
/// For one line.
const TIME_OF_LINE: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Score {
    functions: usize,
    inputs: usize,
    failures: usize,
    found: usize,
    exhausted: usize,
    lines: usize,
    unreachable: usize,
    sides: usize,
    refuted: usize,
    losses: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

#[test]
fn claims_about_large_numbers_are_true() {
    let score = compare_all(About::Numbers);
    assert!(score.exhausted * 100 >= 40 * score.functions, "too few searches come to their end");
    assert!(score.refuted > 0, "no side is claimed to be unreachable");
    assert!(score.found * 100 >= 80 * score.failures, "too few failures are found");
}

#[test]
fn claims_about_compared_functions_are_true() {
    let score = compare_all(About::Functions);
    assert!(score.exhausted > 0 && score.unreachable > 0, "nothing is claimed");
    let is_identity = |loss: &&String| loss.contains("IdentityOfFunction");
    assert!(score.losses.keys().any(|loss| is_identity(&loss)), "no comparison of functions is met");
}

fn compare_all(about: About) -> Score {
    let mut score = Score::default();
    let smt = SmtSettings { limit: Limit::about(1000), ..SmtSettings::default() };
    let mut solver = Chain::start(&smt);
    in_batches(MODULES_PER_BATCH, "exact", |random: &mut Random, number, name, folder| {
        let generated = exact_module(random, name, about);
        compare_searches(&generated, name, folder, &mut solver, &mut score);
        if about == About::Numbers {
            compare_sides(&generated, name, folder, &mut score);
        }
        if number % 3 == 0 {
            compare_lines(&generated, name, folder, &mut score);
        }
    });
    println!(
        "exact: {about:?}: seed {}: {} functions, {} inputs, {} of {} failures found, {} functions claimed to be \
         exhausted; {} lines, {} of them claimed to be unreachable; {} sides, {} of them refuted; {} claims are wrong",
        seed(),
        score.functions,
        score.inputs,
        score.found,
        score.failures,
        score.exhausted,
        score.lines,
        score.unreachable,
        score.sides,
        score.refuted,
        score.wrong.len()
    );
    if std::env::var_os("BEAGLE_FUZZ_VERBOSE").is_some() {
        println!("exact: {:#?}", score.losses);
    }
    assert!(
        score.wrong.is_empty(),
        "replay with BEAGLE_FUZZ_SEED={}: {} claims are wrong:\n{}",
        seed(),
        score.wrong.len(),
        score.wrong.join("\n")
    );
    score
}

fn compare_searches(generated: &ExactModule, name: &str, folder: &Path, solver: &mut Chain, score: &mut Score) {
    let file = folder.join(format!("{name}.erl"));
    std::fs::write(&file, &generated.text).expect("a module is written");
    let sources = vec![BruteForce::driver(folder).expect("the driver is written"), file];
    let config = CodeConfig { sources, cache_dir: None, evaluation: Evaluation::Unguarded, ..CodeConfig::default() };
    let beam = beam::open(config).expect("the modules are found");
    let mut session = Session::new(beam.clone(), LIMITS).expect("a session");
    let module = Atom::new(name);
    let brute_force = BruteForce::new(&beam.loader, [module])
        .unwrap_or_else(|error| panic!("seed {}: the compiler refuses: {error}\n{}", seed(), generated.text));
    let grids: Vec<(Atom, String, Vec<Vec<Term>>)> =
        generated.functions.iter().map(|function| (module, function.by_place.clone(), places(function))).collect();
    let real = brute_force.grids(&grids);
    for ((function, (_, by_place, parts)), real) in generated.functions.iter().zip(&grids).zip(real) {
        let real = real.unwrap_or_else(|| panic!("seed {}: the BEAM does not come to an end", seed()));
        let mut failures: BTreeMap<String, Vec<Term>> = BTreeMap::new();
        for (args, observed) in product(parts).into_iter().zip(&real) {
            let Observed::Raised { class, reason } = observed else { continue };
            session.machine.set_steps(STEPS);
            match session.machine.run(module, Atom::new(by_place), &args) {
                Outcome::Raised(raised) if raised.class.atom() == *class && tag(&raised.reason) == tag(reason) => {
                    failures.entry(key(&raised, module)).or_insert(args);
                }
                other => score.wrong.push(format!(
                    "{by_place}{args:?} raises {reason:?} on the BEAM, and ends with {other:?} here:\n{}",
                    generated.text
                )),
            }
        }
        let explored = explore(&mut session, module, function, solver);
        let found: BTreeSet<String> = explored
            .findings
            .iter()
            .filter_map(|finding| match &finding.failure {
                Failure::Crash(raised) => Some(key(raised, module)),
                _ => None,
            })
            .collect();
        let missed: Vec<(&String, &Vec<Term>)> = failures.iter().filter(|(key, _)| !found.contains(*key)).collect();
        score.functions += 1;
        score.inputs += real.len();
        score.failures += failures.len();
        score.found += failures.len() - missed.len();
        score.exhausted += usize::from(explored.is_exhaustive());
        explored.losses.keys().for_each(|loss| *score.losses.entry(format!("{loss:?}")).or_default() += 1);
        if explored.is_exhaustive() {
            for (failure, args) in missed {
                let text = &generated.text;
                score.wrong.push(format!("{} is no exhausted search: {failure} for {args:?}\n{text}", function.name));
            }
        }
        if explored.losses.keys().any(search::Loss::is_own_defect) {
            score.wrong.push(format!("{}: {:?}\n{}", function.name, explored.losses, generated.text));
        }
    }
}

/// The places in the grid of a function, one list for each parameter.
fn places(function: &ExactFunction) -> Vec<Vec<Term>> {
    function.values.iter().map(|count| (0..*count as i64).map(Term::Int).collect()).collect()
}

fn explore(session: &mut Session, module: Atom, function: &ExactFunction, solver: &mut Chain) -> Exploration {
    let unit = session.unit(module, Atom::new(&function.name), function.values.len() as u32);
    let unit = unit.expect("the module that was written");
    let settings = Settings { seed: 1, memory: 64 << 20, ..settings(MOST_RUNS, STEPS) };
    let mut executor = MachineExecutor::new(&mut session.machine);
    search::explore(&mut executor, &unit, solver, &settings, &mut Until::passed(TIME))
}

/// What is raised and where, as far as a search tells failures apart.
fn key(raised: &Raised, module: Atom) -> String {
    let entry = raised.trace.iter().find(|entry| entry.module == module);
    let place = entry.map_or(String::new(), |entry| format!("{}:{}", entry.function, entry.line));
    format!("{} {} in {place}", raised.class.atom(), tag(&raised.reason))
}

fn tag(reason: &Term) -> String {
    match reason {
        Term::Atom(atom) => atom.to_string(),
        Term::Tuple(elements) => elements.first().map_or("{}".to_owned(), tag),
        _ => "_".to_owned(),
    }
}

fn compare_lines(generated: &ExactModule, name: &str, folder: &Path, score: &mut Score) {
    let (code, file) = crate::generated::open(&generated.text, name, folder, true);
    let module = Atom::new(name);
    let program = code.load(module).expect("it is compiled").expect("it is there");
    let wanted: WantedMarks = Arc::new(marks_of(&program).iter().map(|place| place.mark).collect());
    let mut session = Opaque::default().session_with_marks(&code, LIMITS, &wanted).expect("a session");
    let executed = all_marks(&mut session, module, &generated.functions);
    let warnings = Warnings::default();
    let options = SolverOptions { path: "z3".into(), time: Duration::from_secs(1), dump: None, second: None };
    let mut solver = Timed::start(&options, &Distrusted::default(), &warnings);
    let languages = Languages::new(Arc::new(beam::ErlangFrontEnd::without_code()), Vec::new());
    let files = Files::new(HashMap::from([(module, file)]), HashMap::new(), None);
    for function in &generated.functions {
        let entry = FunctionName { module, function: Atom::new(&function.name), arity: function.values.len() as u32 };
        let mut reaching = Reaching {
            from: vec![entry],
            ..Reaching::in_module(
                &mut session,
                &mut solver,
                &languages,
                &files,
                (module, wanted.clone()),
                settings(u64::MAX, STEPS),
                TIME_OF_LINE,
            )
        };
        for line in lines_of(&generated.text, &function.name) {
            if !wanted.iter().any(|mark| mark.line == line) {
                continue;
            }
            let shown = format!("{name}.erl:{line}");
            let place = Place::read_line(&shown).expect("a place");
            let arrived = reaching.reach(&shown, &place).expect("the code is there");
            let is_executed = executed.iter().any(|mark| mark.line == line);
            score.lines += 1;
            if let ReachVerdict::Unreachable { .. } = arrived.report.verdict {
                score.unreachable += 1;
                if is_executed {
                    let text = arrived.report.as_text();
                    score.wrong.push(format!("{shown} is executed: {text}\n{}", generated.text));
                }
            }
        }
    }
}

/// Numbers can be written down, so the sides that they take are known. Functions cannot.
fn compare_sides(generated: &ExactModule, name: &str, folder: &Path, score: &mut Score) {
    let (code, _) = crate::generated::open(&generated.text, name, folder, false);
    let mut session = Opaque::default().session(&code, LIMITS).expect("a session");
    let module = Atom::new(name);
    for function in &generated.functions {
        let mut grid = Vec::new();
        for (index, count) in function.values.iter().enumerate() {
            let value_at = Atom::new(&format!("{}_{}", function.by_place, index + 1));
            let values =
                (0..*count as i64).map(|place| match session.machine.run(module, value_at, &[Term::Int(place)]) {
                    Outcome::Value(value) => value,
                    other => panic!("a value of the grid is {other:?}"),
                });
            grid.push(values.collect::<Vec<_>>());
        }
        let unit = FunctionName { module, function: Atom::new(&function.name), arity: grid.len() as u32 };
        for side in crate::generated::sides::sides(&code, &mut session, unit, &product(&grid), LIMITS, TIME_OF_LINE) {
            score.sides += 1;
            score.refuted += usize::from(side.is_refuted);
            if side.is_refuted && side.is_taken {
                score.wrong.push(format!("{unit} takes {}:\n{}", side.shown, generated.text));
            }
        }
    }
}

/// The lines of a function's body, counted from one.
fn lines_of(text: &str, function: &str) -> Vec<u32> {
    let head = format!("{function}(");
    let lines = || text.lines().enumerate();
    let Some((start, _)) = lines().find(|(_, line)| line.starts_with(&head)) else { return Vec::new() };
    let end = lines().skip(start).find(|(_, line)| line.ends_with('.')).map_or(start, |(end, _)| end);
    (start as u32 + 1..=end as u32 + 1).collect()
}

/// The marks that an input of the grids comes to.
fn all_marks(session: &mut Session, module: Atom, functions: &[ExactFunction]) -> BTreeSet<Mark> {
    let mut all = BTreeSet::new();
    for function in functions {
        let name =
            FunctionName { module, function: Atom::new(&function.by_place), arity: function.values.len() as u32 };
        let unit = session.unit(module, name.function, name.arity).expect("it is exported");
        let args = inputs(name.arity);
        let mut executor = MachineExecutor::new(&mut session.machine);
        for data in product(&places(function)) {
            let call = call(name, &args, &data, &unit.contract.types);
            all.extend(executor.replay(&call, None).marks.in_order());
        }
    }
    all
}
