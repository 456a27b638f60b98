//! Completeness of searches over functions, as a property: whatever function is hidden in a unit, the search
//! finds an input that behaves like it, and the BEAM confirms it.
//!
//! A search that claims to have left nothing out, and has not found it, is wrong; so is one that reports what the
//! BEAM does not confirm.

use beam::{Beam, ERLANG};
use campaign::Until;
use erlang::print;
use frontend::{CodeConfig, Evaluation};
use fuzz::{HiddenFunction, Random, hidden_module, seed};
use interaction::MachineExecutor;
use machine::Limits;
use oracle::{Call, alike};
use path::{Class, Outcome};
use report::Printer;
use search::{Exploration, Failure, Finding, Settings, Unit, Verdict};
use session::Session;
use solver::{Chain, Limit, SmtSettings};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use term::{Atom, Term};

/// Hidden functions in one module.
const UNITS: usize = 8;
const MOST_RUNS: u64 = 2_000;
/// For one unit.
const TIME: Duration = Duration::from_secs(60);
const STEPS: u64 = 100_000;
const LIMITS: Limits = Limits { steps: STEPS, memory: 256 << 20, result: 100_000, eager_collection: false };
const THEIR_LIMITS: oracle::Limits = oracle::Limits { time: Duration::from_secs(5), heap_words: 4 << 20 };
/// Sizes that must all be found, and how many modules of them there are.
const SMALL: usize = 3;
const SMALL_MODULES: usize = 16;
/// Within so many runs each; most need less than ten.
const SMALL_RUNS: u64 = 20_000;

#[derive(Default)]
struct Score {
    /// Runs of one search.
    budget: u64,
    /// By whether there is a specification, and by size.
    units: BTreeMap<(bool, usize), Units>,
    losses: BTreeMap<String, usize>,
    missed: Vec<String>,
    faults: Vec<String>,
}

#[derive(Default)]
struct Units {
    all: usize,
    /// The runs that each of those needed that were found.
    runs: Vec<u64>,
}

#[test]
fn small_hidden_functions_are_all_found() {
    let mut score = Score { budget: SMALL_RUNS, ..Score::default() };
    let mut random = Random::new(1);
    for _ in 0..SMALL_MODULES {
        let sizes: Vec<usize> = (0..UNITS).map(|_| random.below(SMALL + 1)).collect();
        search_all(&mut random, &sizes, &mut score, &|| true);
    }
    score.print("small");
    score.assert_sound();
    assert!(score.missed.is_empty(), "these were not found:\n{}", score.missed.join("\n"));
}

/// `BEAGLE_FUZZ_SIZE`: no other size. `BEAGLE_FUZZ_RUNS`: the budget of one search.
#[test]
fn hidden_functions_are_found() {
    let (start, mut random) = (Instant::now(), Random::new(seed()));
    let only = option("BEAGLE_FUZZ_SIZE").map(|size| size as usize);
    let budget = option("BEAGLE_FUZZ_RUNS").unwrap_or(MOST_RUNS);
    let mut score = Score { budget, ..Score::default() };
    while start.elapsed() < fuzz::duration() {
        let sizes: Vec<usize> = (0..UNITS).map(|_| only.unwrap_or_else(|| random.below(9))).collect();
        search_all(&mut random, &sizes, &mut score, &|| start.elapsed() < fuzz::duration());
    }
    score.print(&format!("seed {}", seed()));
    score.assert_sound();
}

fn option(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

impl Score {
    fn print(&self, name: &str) {
        for (specified, what) in [(true, "with a specification"), (false, "without a specification")] {
            let all: Vec<(usize, &Units)> =
                self.units.iter().filter(|((of, _), _)| *of == specified).map(|((_, size), of)| (*size, of)).collect();
            let found: usize = all.iter().map(|(_, units)| units.runs.len()).sum();
            let of: usize = all.iter().map(|(_, units)| units.all).sum();
            let runs = all.iter().flat_map(|(_, units)| units.runs.iter().copied()).collect();
            println!("functions: {name}: {what}: {found} of {of} found, median {} runs; by size:", median(runs));
            for (size, units) in all {
                let share = 100.0 * units.runs.len() as f64 / units.all.max(1) as f64;
                let (found, median) = (units.runs.len(), median(units.runs.clone()));
                println!("  {size}: {found} of {} found ({share:.0} %), median {median} runs", units.all);
            }
        }
        if std::env::var_os("BEAGLE_FUZZ_VERBOSE").is_some() {
            println!("functions: {:#?}", self.losses);
        }
    }

    fn assert_sound(&self) {
        let faults = &self.faults;
        assert!(faults.is_empty(), "seed {}: {} searches are wrong:\n{}", seed(), faults.len(), faults.join("\n"));
    }
}

fn median(mut runs: Vec<u64>) -> u64 {
    runs.sort_unstable();
    runs.get(runs.len() / 2).copied().unwrap_or(0)
}

fn search_all(random: &mut Random, sizes: &[usize], score: &mut Score, go_on: &dyn Fn() -> bool) {
    let folder = tempfile::tempdir().expect("a folder for modules");
    let name = Atom::new("hidden");
    let generated = hidden_module(random, name.text(), sizes);
    let file = folder.path().join("hidden.erl");
    std::fs::write(&file, &generated.text).expect("a module is written");
    let config = CodeConfig {
        sources: vec![file],
        cache_dir: loader::cache_dir(None),
        evaluation: Evaluation::Unguarded,
        ..CodeConfig::default()
    };
    let beam = beam::open(config).expect("the module is found");
    let mut session = Session::new(beam.clone(), LIMITS).expect("a session");
    if let Err(error) = session.code.load(name) {
        panic!("the compiler refuses what was generated: {error}\n{}", generated.text);
    }
    session.code.load_into_runtime(name).expect("the BEAM takes it, too");
    let smt = SmtSettings { limit: Limit::about(1000), ..SmtSettings::default() };
    let mut solver = Chain::start(&smt);
    for hidden in generated.units.iter().filter(|_| go_on()) {
        search(&mut session, &beam, name, hidden, &mut solver, score);
    }
}

fn search(
    session: &mut Session,
    beam: &Beam,
    module: Atom,
    hidden: &HiddenFunction,
    solver: &mut Chain,
    score: &mut Score,
) {
    let function = Atom::new(&hidden.unit);
    let helper = |name: &str| Atom::new(&hidden.unit.replace("unit", name));
    session.machine.set_steps(STEPS);
    match session.machine.run(module, helper("check"), &[]) {
        Outcome::Raised(raised) if raised.reason == Term::Atom(Atom::new("bug")) => {}
        // Too long for our taste.
        Outcome::Stopped(_) => return,
        // What it throws is not caught where a function is expected.
        Outcome::Raised(raised) if raised.class == Class::Throw => return,
        other => panic!("what is hidden is none: {other:?}\n{}", hidden.text),
    }
    let calls = match session.machine.run(module, helper("count"), &[]) {
        Outcome::Value(Term::Int(calls)) => calls,
        _ => return,
    };
    let unit = session.unit(module, function, hidden.arity).expect("the module that was loaded");
    let settings = Settings { seed: 1, memory: 128 << 20, ..campaign::settings(score.budget, STEPS) };
    if std::env::var_os("BEAGLE_FUZZ_TRACE").is_some() {
        println!("functions: {}", hidden.text);
    }
    // With the bug, nothing is left to find.
    let mut until = Until::passed(TIME).or_found(is_bug);
    let exploration =
        search::explore(&mut MachineExecutor::new(&mut session.machine), &unit, solver, &settings, &mut until);
    let found = exploration.findings.iter().find(|finding| is_bug(finding));
    let mut faults: Vec<String> =
        exploration.findings.iter().filter_map(|finding| fault(beam, &unit, hidden, finding)).collect();
    if found.is_none() {
        match exploration.verdict() {
            Verdict::Exhausted => faults.push("exhausted".to_owned()),
            Verdict::Bounded(bound) if i64::from(bound) >= calls => {
                faults.push(format!("bounded {bound}, but {calls} calls are enough"));
            }
            _ if exploration.is_exhaustive() => faults.push("exhaustive".to_owned()),
            _ => {}
        }
    }
    if exploration.diverged > 0 {
        faults.push(format!("{} runs went another way than predicted", exploration.diverged));
    }
    faults.extend(exploration.losses.keys().filter(|loss| loss.is_own_defect()).map(|loss| format!("{loss:?}")));
    let units = score.units.entry((hidden.specified, hidden.size)).or_default();
    units.all += 1;
    match found {
        Some(found) => units.runs.push(found.runs),
        None => score.missed.push(describe(hidden, &exploration)),
    }
    for loss in exploration.losses.keys() {
        *score.losses.entry(format!("{loss:?}")).or_default() += 1;
    }
    let verbose = std::env::var_os("BEAGLE_FUZZ_VERBOSE").is_some();
    if verbose && found.is_none() {
        println!("functions: missed {}", describe(hidden, &exploration));
    }
    if !faults.is_empty() {
        let fault = format!("{}  {}", describe(hidden, &exploration), faults.join("\n  "));
        println!("functions: {fault}\n");
        score.faults.push(fault);
    }
}

fn describe(hidden: &HiddenFunction, exploration: &Exploration) -> String {
    let Exploration { runs, queries, unknown, diverged, losses, .. } = exploration;
    let findings: Vec<String> = exploration.findings.iter().map(|finding| call(finding, hidden)).collect();
    format!(
        "size {}: {runs} runs, {queries} queries, {unknown} unknown, {diverged} diverged, {:?}, {losses:?}\n{}{}\n",
        hidden.size,
        exploration.verdict(),
        hidden.text,
        findings.join("\n")
    )
}

fn is_bug(finding: &Finding) -> bool {
    matches!(&finding.failure, Failure::Crash(raised) if raised.reason == Term::Atom(Atom::new("bug")))
}

/// What is wrong with a finding. With a specification there is one alone that can be.
fn fault(beam: &Beam, unit: &Unit, hidden: &HiddenFunction, finding: &Finding) -> Option<String> {
    let call = call(finding, hidden);
    let Failure::Crash(raised) = &finding.failure else {
        return Some(format!("{call}: {:?} cannot be", finding.failure));
    };
    if hidden.specified && !is_bug(finding) {
        return Some(format!("{call} cannot fail with {}", print(&raised.reason)));
    }
    let asked = Call::Text { text: call.clone(), home: Some(unit.module) };
    match beam.loader.oracle().evaluate(&asked, THEIR_LIMITS) {
        Ok(oracle::Outcome::Raised { class, reason, .. })
            if class == raised.class.atom() && alike(&reason, &raised.reason) =>
        {
            None
        }
        Ok(oracle::Outcome::Raised { class, reason, .. }) => {
            Some(format!("{call} raises {class} {}, and not {}", print(&reason), print(&raised.reason)))
        }
        other => Some(format!("{call} gives {other:?}, and not {}", print(&raised.reason))),
    }
}

fn call(finding: &Finding, hidden: &HiddenFunction) -> String {
    let inputs: Vec<String> = finding.inputs.iter().map(|input| ERLANG.input(input, false)).collect();
    format!("{}({})", hidden.unit, inputs.join(", "))
}
