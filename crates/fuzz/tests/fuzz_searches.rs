//! Generated functions with few inputs: what a search finds of them, against trying out every input.
//!
//! A finding must be real. A search that says it left nothing out within its bound must have found every
//! failure that there is.

use beagle::{Session, SessionConfig, contract_of};
use erlang::syntax::print_pasteable;
use fuzz::{GeneratedSearch, Random, product, search_module, seed};
use machine::{Limits, Outcome, Raised};
use program::Module;
use search::{Exploration, Failure, Finding, Host, InputValue, Progress, Settings, Strategy, Unit};
use solver::{Chain, Limit, SmtSettings};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::{Atom, Term};

const MODULES_PER_BATCH: usize = 2;
const MOST_RUNS: u64 = 400;
/// For one function: a search that is cut claims nothing.
const TIME: Duration = Duration::from_secs(10);
const STEPS: u64 = 200_000;
const LIMITS: Limits = Limits { steps: STEPS, memory: 256 << 20, result: 100_000, eager_collection: false };

#[derive(Default)]
struct Score {
    functions: usize,
    exhausted: usize,
    inputs: usize,
    runs: u64,
    failures: usize,
    found: usize,
    /// What stood in the way of the others.
    losses: BTreeMap<String, usize>,
    faults: Vec<String>,
}

#[test]
fn searches_find_what_there_is() {
    let (start, mut random) = (Instant::now(), Random::new(seed()));
    let folder = tempfile::tempdir().expect("a folder for modules");
    let mut score = Score::default();
    let smt = SmtSettings { path: PathBuf::from("z3"), limit: Limit::about(1000), dump: None };
    let mut solver = Chain::start(&smt);
    let mut batch = 0;
    while start.elapsed() < fuzz::duration() {
        batch += 1;
        let mut modules = Vec::new();
        for number in 0..MODULES_PER_BATCH {
            let name = format!("searched_{batch}_{number}");
            let generated = search_module(&mut random, &name);
            let file = folder.path().join(format!("{name}.erl"));
            std::fs::write(&file, &generated.text).expect("a module is written");
            modules.push((Atom::new(&name), generated, file));
        }
        let sources = modules.iter().map(|(_, _, file)| file.clone()).collect();
        let config = SessionConfig {
            sources,
            cache_dir: loader::default_cache_dir(),
            limits: LIMITS,
            ..SessionConfig::default()
        };
        let mut session = Session::new(config).expect("a session");
        for (name, generated, _) in &modules {
            let program = match session.loader.load(*name) {
                Ok(program) => program.expect("the module that was written"),
                Err(error) => {
                    panic!("seed {}: the compiler refuses what was generated: {error}\n{}", seed(), generated.text)
                }
            };
            for search in &generated.searches {
                if start.elapsed() < fuzz::duration() {
                    compare(&mut session, &program, search, &mut solver, &mut score);
                }
            }
        }
    }
    conclude(&score);
}

fn conclude(score: &Score) {
    if std::env::var_os("BEAGLE_FUZZ_VERBOSE").is_some() {
        println!("searches: {:#?}", score.losses);
    }
    let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    println!(
        "searches: seed {}: {} functions, {} inputs, {} runs; {} ({:.1} %) explored exhaustively; {} of {} failures \
         ({:.1} %) found; {} faults",
        seed(),
        score.functions,
        score.inputs,
        score.runs,
        score.exhausted,
        share(score.exhausted, score.functions),
        score.found,
        score.failures,
        share(score.found, score.failures),
        score.faults.len()
    );
    assert!(score.exhausted > 0, "no search was exhaustive");
    assert!(
        score.faults.is_empty(),
        "seed {}: {} searches are wrong; replay with BEAGLE_FUZZ_SEED={}:\n{}",
        seed(),
        score.faults.len(),
        seed(),
        score.faults.join("\n")
    );
}

fn compare(
    session: &mut Session,
    program: &Arc<Module>,
    search: &GeneratedSearch,
    solver: &mut Chain,
    score: &mut Score,
) {
    let (module, function) = (program.name, Atom::new(&search.function));
    let arity = search.params.len() as u32;
    let contract = contract_of(&session.loader, program, function, arity);
    let unit = Unit { module, function, arity, contract, user_modules: vec![module], expected: Default::default() };
    let values: Vec<Vec<Term>> = search.params.iter().map(|param| param.values(search.bound)).collect();
    let mut failures: BTreeMap<String, Vec<Term>> = BTreeMap::new();
    let mut inputs = BTreeSet::new();
    for args in product(&values) {
        if let Some(failure) = fails(session, &unit, &args) {
            failures.entry(failure).or_insert_with(|| args.clone());
        }
        inputs.insert(written(&args));
    }
    let settings = Settings {
        strategy: Strategy::Coverage,
        max_runs: MOST_RUNS,
        steps: STEPS,
        most_steps: STEPS,
        size_bound: Some(search.bound),
        seeds: Vec::new(),
        seed: 1,
        memory: 64 << 20,
        samples: Default::default(),
    };
    let mut clock = Clock { end: Instant::now() + TIME };
    let exploration = search::explore(&mut session.machine, &unit, solver, &settings, &mut clock);
    let is_exhaustive = is_exhaustive(&exploration);
    let mut faults = Vec::new();
    let mut found = BTreeSet::new();
    for finding in &exploration.findings {
        let args: Vec<Term> = finding.inputs.iter().filter_map(as_data).collect();
        let failure = key(finding);
        match fails(session, &unit, &args) {
            _ if !inputs.contains(&written(&args)) => faults.push(format!("({}) is no input", written(&args))),
            Some(real) if real == failure => {}
            other => faults.push(format!("({}) gives {other:?}, and not {failure}", written(&args))),
        }
        found.insert(failure);
    }
    let missed: Vec<(&String, &Vec<Term>)> = failures.iter().filter(|(failure, _)| !found.contains(*failure)).collect();
    if is_exhaustive {
        let missing = |(failure, args): &(&String, &Vec<Term>)| format!("missed {failure} for ({})", written(args));
        faults.extend(missed.iter().map(missing));
    }
    if exploration.diverged > 0 {
        faults.push(format!("{} runs went another way than predicted", exploration.diverged));
    }
    for loss in ["a model that does not satisfy its query", "a run that cannot be repeated", "could not be reproduced"]
    {
        if let Some((told, _)) = exploration.losses.iter().find(|(told, _)| told.contains(loss)) {
            faults.push(told.clone());
        }
    }
    score.functions += 1;
    score.exhausted += usize::from(is_exhaustive);
    score.inputs += inputs.len();
    score.runs += exploration.runs;
    score.failures += failures.len();
    score.found += failures.len() - missed.len();
    if !is_exhaustive {
        if std::env::var_os("BEAGLE_FUZZ_VERBOSE").is_some() {
            println!("searches: not exhaustive {:?}, {} missed:\n{}", exploration.losses, missed.len(), search.text);
        }
        let losses = exploration.losses.keys().filter(|loss| *loss != search::SIZE_BOUND);
        losses.for_each(|loss| *score.losses.entry(loss.clone()).or_default() += 1);
        *score.losses.entry(format!("{:?}", exploration.ended)).or_default() += 1;
    }
    if !faults.is_empty() {
        let losses = &exploration.losses;
        let fault = format!(
            "{}bound {}, {} runs, {losses:?}:\n  {}",
            search.text,
            search.bound,
            exploration.runs,
            faults.join("\n  ")
        );
        println!("searches: {fault}\n");
        score.faults.push(fault);
    }
}

/// Within the bound.
fn is_exhaustive(exploration: &Exploration) -> bool {
    let mut within_bound = exploration.clone();
    within_bound.losses.remove(search::SIZE_BOUND);
    within_bound.is_exhaustive()
}

/// What goes wrong with these arguments; failures that a search may take for one and the same are.
fn fails(session: &mut Session, unit: &Unit, args: &[Term]) -> Option<String> {
    session.machine.set_steps(STEPS);
    match session.machine.run(unit.module, unit.function, args) {
        Outcome::Value(result) if unit.contract.allows(args, &result) => None,
        Outcome::Value(result) => Some(spec_key(&result)),
        Outcome::Raised(raised) => Some(crash_key(&raised)),
        Outcome::Stopped(stop) => Some(stop.to_string()),
    }
}

fn key(finding: &Finding) -> String {
    match &finding.failure {
        Failure::Crash(raised) => crash_key(raised),
        Failure::Spec { result } => spec_key(result),
        Failure::Blame(_) => "blame".to_owned(),
        Failure::Timeout(_) => "timeout".to_owned(),
        Failure::Deadlock => "deadlock".to_owned(),
    }
}

fn spec_key(result: &Term) -> String {
    format!("spec {}", tag(result))
}

fn crash_key(raised: &Raised) -> String {
    let is_own = |entry: &&machine::TraceEntry| entry.module.text().starts_with("searched_");
    let entry = raised.trace.iter().find(is_own).or(raised.trace.first());
    let place = entry.map_or(String::new(), |entry| format!("{}/{}:{}", entry.function, entry.arity, entry.line));
    format!("{} {} in {place}", raised.class.atom(), tag(&raised.reason))
}

/// Atoms that stand in inputs are data.
fn tag(term: &Term) -> String {
    match term {
        Term::Atom(atom) if !["a", "b", "c", "true", "false", "cell", "k", "l"].contains(&atom.text()) => {
            atom.to_string()
        }
        Term::Tuple(elements) if elements.len() > 1 => {
            format!("{{{}, {}}}", elements.first().map_or("_".to_owned(), tag_of_first), elements.len())
        }
        Term::Tuple(elements) => format!("{{{}}}", elements.len()),
        _ => "_".to_owned(),
    }
}

fn tag_of_first(term: &Term) -> String {
    if term.as_atom().is_some() { tag(term) } else { "_".to_owned() }
}

fn written(args: &[Term]) -> String {
    args.iter().map(print_pasteable).collect::<Vec<_>>().join(", ")
}

fn as_data(input: &InputValue) -> Option<Term> {
    match input {
        InputValue::Data(term) => Some(term.clone()),
        InputValue::Functional { .. }
        | InputValue::Call { .. }
        | InputValue::Tuple(_)
        | InputValue::List(_)
        | InputValue::Map { .. } => None,
    }
}

struct Clock {
    end: Instant,
}

impl Host for Clock {
    fn out_of_time(&mut self) -> bool {
        Instant::now() > self.end
    }
    fn progress(&mut self, _: &Progress) {}
    fn found(&mut self, _: &Finding) {}
}
