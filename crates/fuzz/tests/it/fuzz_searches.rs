//! Generated functions with few inputs: what a search says of them, against what the BEAM does with every input.
//!
//! A finding must be real. A search that says it left nothing out within its bound must have found every
//! failure that there is. Without `BEAGLE_FUZZ_SECONDS` the work is always the same.

use campaign::Until;
use erlang::syntax::print_pasteable;
use frontend::{CodeConfig, Evaluation};
use fuzz::{
    BruteForce, GeneratedSearch, Observed, Random, SearchModule, inputs_of, search_module, seed, wanted_duration,
};
use interaction::MachineExecutor;
use machine::Limits;
use path::{InputValue, Outcome, Raised, Value};
use search::{Exploration, Failure, Finding, Loss, Settings, Unit};
use session::Session;
use solver::{Chain, Limit, SmtSettings, Statistics};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};
use term::{Atom, Term};

/// Each has a dozen functions. One batch is what is done without a wish for more.
const MODULES_PER_BATCH: usize = 26;
const MOST_RUNS: u64 = 400;
/// For one function, on a computer that does something else: a search that is cut claims nothing.
const TIME: Duration = Duration::from_secs(60);
const STEPS: u64 = 200_000;
const LIMITS: Limits = Limits { steps: STEPS, memory: 256 << 20, result: 100_000, eager_collection: false };

#[derive(Default)]
struct Score {
    functions: usize,
    /// Functions of which the BEAM could not try all inputs.
    skipped: usize,
    inputs: usize,
    runs: u64,
    failures: usize,
    found: usize,
    exhausted: usize,
    wrong_claims: usize,
    findings: usize,
    wrong_findings: usize,
    /// What stood in the way of the others.
    losses: BTreeMap<String, usize>,
    faults: Vec<String>,
}

#[test]
fn searches_find_what_there_is() {
    let (start, mut random) = (Instant::now(), Random::new(seed()));
    let folder = tempfile::tempdir().expect("a folder for modules");
    let mut score = Score::default();
    let smt = SmtSettings { limit: Limit::about(1000), ..SmtSettings::default() };
    // Every other function is left to the tiers that are for inputs with many values.
    let mut solvers = [Chain::start(&smt), Chain::start(&smt).without_trying_few()];
    let mut batch = 0;
    while batch == 0 || wanted_duration().is_some_and(|wanted| start.elapsed() < wanted) {
        batch += 1;
        compare_batch(&mut random, folder.path(), batch, &mut solvers, &mut score);
    }
    for (solver, tiers) in solvers.iter().zip(["all tiers", "those for many values"]) {
        let Statistics { screened, native, queries, smt, .. } = solver.statistics();
        println!(
            "searches: {tiers}: {native} of {screened} ways screened, {queries} other queries, {smt} by the SMT solver"
        );
    }
    conclude(&score);
}

fn compare_batch(random: &mut Random, folder: &Path, batch: usize, solvers: &mut [Chain; 2], score: &mut Score) {
    let mut sources = vec![BruteForce::driver(folder).expect("the driver is written")];
    let mut modules: Vec<(Atom, SearchModule)> = Vec::new();
    for number in 0..MODULES_PER_BATCH {
        let name = format!("searched_{batch}_{number}");
        let generated = search_module(random, &name);
        let file = folder.join(format!("{name}.erl"));
        std::fs::write(&file, &generated.text).expect("a module is written");
        sources.push(file);
        modules.push((Atom::new(&name), generated));
    }
    // Generated modules are not met again.
    let config = CodeConfig { sources, cache_dir: None, evaluation: Evaluation::Unguarded, ..CodeConfig::default() };
    let beam = beam::open(config).expect("the modules are found");
    let mut session = Session::new(beam.clone(), LIMITS).expect("a session");
    let brute_force = BruteForce::new(&beam.loader, modules.iter().map(|(name, _)| *name));
    let brute_force = brute_force.unwrap_or_else(|error| panic!("seed {}: the compiler refuses: {error}", seed()));
    let searches: Vec<(Atom, &GeneratedSearch)> =
        modules.iter().flat_map(|(name, generated)| generated.searches.iter().map(|search| (*name, search))).collect();
    let real = brute_force.all(&searches);
    let explored: Vec<Explored> = searches
        .iter()
        .enumerate()
        .map(|(number, (module, search))| explore(&mut session, *module, search, &mut solvers[number % 2]))
        .collect();
    let claimed: Vec<(Atom, String, Vec<Term>)> = searches
        .iter()
        .zip(&explored)
        .flat_map(|((module, search), explored)| {
            let args = explored.exploration.findings.iter().map(args_of);
            args.map(|args| (*module, search.function.clone(), args))
        })
        .collect();
    let mut shown = brute_force.each(&claimed).into_iter();
    for (((_, search), explored), real) in searches.iter().zip(&explored).zip(real) {
        let shown: Vec<Option<Observed>> = shown.by_ref().take(explored.exploration.findings.len()).collect();
        match real {
            Some(real) => compare(&mut session, search, explored, &real, &shown, score),
            None => score.skipped += 1,
        }
    }
}

struct Explored {
    unit: Unit,
    exploration: Exploration,
}

fn explore(session: &mut Session, module: Atom, search: &GeneratedSearch, solver: &mut Chain) -> Explored {
    let unit = session.unit(module, Atom::new(&search.function), search.params.len() as u32);
    let unit = unit.expect("the module that was written");
    let size_bound = Some(search.bound);
    let settings = Settings { size_bound, seed: 1, memory: 64 << 20, ..campaign::settings(MOST_RUNS, STEPS) };
    let exploration = search::explore(
        &mut MachineExecutor::new(&mut session.machine),
        &unit,
        solver,
        &settings,
        &mut Until::passed(TIME),
    );
    Explored { unit, exploration }
}

fn conclude(score: &Score) {
    if std::env::var_os("BEAGLE_FUZZ_VERBOSE").is_some() {
        println!("searches: {:#?}", score.losses);
    }
    let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    println!(
        "searches: seed {}: {} functions, {} inputs on the BEAM, {} runs; {} of {} failures ({:.1} %) found; \
         {} findings, {} of them wrong; {} functions ({:.1} %) claimed to be exhausted, {} of them wrongly; {} faults",
        seed(),
        score.functions,
        score.inputs,
        score.runs,
        score.found,
        score.failures,
        share(score.found, score.failures),
        score.findings,
        score.wrong_findings,
        score.exhausted,
        share(score.exhausted, score.functions),
        score.wrong_claims,
        score.faults.len()
    );
    assert!(
        score.faults.is_empty(),
        "seed {}: {} searches are wrong; replay with BEAGLE_FUZZ_SEED={}:\n{}",
        seed(),
        score.faults.len(),
        seed(),
        score.faults.join("\n")
    );
    assert!(score.functions >= 300, "only {} functions were compared", score.functions);
    assert!(score.skipped * 20 <= score.functions, "the BEAM did not try {} functions", score.skipped);
    assert!(share(score.found, score.failures) > 90.0, "too few failures are found");
    assert!(share(score.exhausted, score.functions) > 60.0, "too few searches come to their end");
}

fn compare(
    session: &mut Session,
    search: &GeneratedSearch,
    explored: &Explored,
    real: &[Observed],
    shown: &[Option<Observed>],
    score: &mut Score,
) {
    let Explored { unit, exploration } = explored;
    let mut faults = Vec::new();
    let all = inputs_of(search);
    let mut failures: BTreeMap<String, &Vec<Term>> = BTreeMap::new();
    for (args, observed) in all.iter().zip(real) {
        let Some(failure) = failure_of(unit, args, observed) else { continue };
        // What fails is for the BEAM to say; at which place, our machine tells, since the BEAM's optimiser moves places.
        let key = match fails(session, unit, args) {
            Some(ours) if ours.failure == failure => ours,
            other => {
                let ours = other.map(|ours| ours.failure);
                faults.push(format!("({}) gives {failure} on the BEAM, and {ours:?} on our machine", written(args)));
                continue;
            }
        };
        failures.entry(key.place).or_insert(args);
    }
    let inputs: BTreeSet<String> = all.iter().map(|args| written(args)).collect();
    let is_exhaustive = is_exhaustive(exploration);
    let machine_faults = faults.len();
    let mut found = BTreeSet::new();
    for (finding, shown) in exploration.findings.iter().zip(shown) {
        let args = args_of(finding);
        let Key { failure, place } = key(finding);
        match shown.as_ref().and_then(|observed| failure_of(unit, &args, observed)) {
            _ if !inputs.contains(&written(&args)) => faults.push(format!("({}) is no input", written(&args))),
            Some(real) if real == failure => {}
            other => faults.push(format!("({}) gives {other:?} on the BEAM, and not {failure}", written(&args))),
        }
        found.insert(place);
    }
    score.findings += exploration.findings.len();
    score.wrong_findings += faults.len() - machine_faults;
    let missed: Vec<(&String, &&Vec<Term>)> =
        failures.iter().filter(|(failure, _)| !found.contains(*failure)).collect();
    if is_exhaustive {
        let missing = |(failure, args): &(&String, &&Vec<Term>)| format!("missed {failure} for ({})", written(args));
        faults.extend(missed.iter().map(missing));
        score.wrong_claims += usize::from(!missed.is_empty());
    }
    if exploration.diverged > 0 {
        faults.push(format!("{} runs went another way than predicted", exploration.diverged));
    }
    faults.extend(exploration.losses.keys().filter(|loss| loss.is_own_defect()).map(|loss| format!("{loss:?}")));
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
        let losses = exploration.losses.keys().filter(|loss| **loss != Loss::SizeBound);
        losses.for_each(|loss| *score.losses.entry(format!("{loss:?}")).or_default() += 1);
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
    within_bound.losses.remove(&Loss::SizeBound);
    within_bound.is_exhaustive()
}

/// What is wrong, as the BEAM tells it; and with the place, as far as a search tells failures apart by it.
struct Key {
    failure: String,
    place: String,
}

/// What is wrong with what the BEAM did.
fn failure_of(unit: &Unit, args: &[Term], observed: &Observed) -> Option<String> {
    match observed {
        Observed::Value(result) if unit.contract.allows(args, result) => None,
        Observed::Value(result) => Some(spec_key(result)),
        Observed::Raised { class, reason } => Some(crash_key(*class, reason)),
    }
}

/// What goes wrong with these arguments on our machine.
fn fails(session: &mut Session, unit: &Unit, args: &[Term]) -> Option<Key> {
    session.machine.set_steps(STEPS);
    let without_place = |failure: String| Some(Key { place: failure.clone(), failure });
    match session.machine.run(unit.module, unit.function, args) {
        Outcome::Value(result) if unit.contract.allows(args, &result) => None,
        Outcome::Value(result) => without_place(spec_key(&result)),
        Outcome::Raised(raised) => Some(of_raised(&raised)),
        Outcome::Stopped(stop) => without_place(format!("{stop:?}")),
    }
}

fn key(finding: &Finding) -> Key {
    let failure = match &finding.failure {
        Failure::Crash(raised) => return of_raised(raised),
        Failure::Spec { result, .. } => spec_key(result),
        Failure::Blame(_) => "blame".to_owned(),
        Failure::Timeout(_) => "timeout".to_owned(),
        Failure::Deadlock(_) => "deadlock".to_owned(),
    };
    Key { place: failure.clone(), failure }
}

fn of_raised(raised: &Raised) -> Key {
    let failure = crash_key(raised.class.atom(), &raised.reason);
    let is_own = |entry: &&path::TraceEntry| entry.module.text().starts_with("searched_");
    let entry = raised.trace.iter().find(is_own).or(raised.trace.first());
    let place = entry.map_or(String::new(), |entry| format!("{}/{}:{}", entry.function, entry.arity, entry.line));
    Key { place: format!("{failure} in {place}"), failure }
}

/// Results of one kind may come from one path, whatever their size.
fn spec_key(result: &Term) -> String {
    let kind = match result {
        Term::Int(_) | Term::Big(_) => "integer",
        Term::Float(_) => "float",
        Term::Atom(_) => "atom",
        Term::Nil | Term::List(..) => "list",
        Term::Tuple(_) => "tuple",
        Term::Map(_) => "map",
        Term::Bits(_) => "bitstring",
        Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => "something else",
    };
    format!("spec {kind}")
}

fn crash_key(class: Atom, reason: &Term) -> String {
    format!("{class} {}", tag(reason))
}

fn args_of(finding: &Finding) -> Vec<Term> {
    finding.inputs.iter().filter_map(as_data).collect()
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
        InputValue::Data(Value { data, functions: None }) => Some(data.clone()),
        InputValue::Data(Value { functions: Some(_), .. })
        | InputValue::Call { .. }
        | InputValue::Tuple(_)
        | InputValue::List(_)
        | InputValue::Map { .. }
        | InputValue::Process(_)
        | InputValue::Registered { .. } => None,
    }
}
