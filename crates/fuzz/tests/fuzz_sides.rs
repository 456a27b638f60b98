//! Every side of the branches of generated functions: what is proved of it, against what all inputs do.
//!
//! No side that an input takes may be called unreachable. Without `BEAGLE_FUZZ_SECONDS` the work is always the same.

mod generated;

use campaign::reaching::settle;
use formula::Samples;
use fuzz::{LARGEST_INPUT, inputs_of, reach_module, search_module, seed};
use generated::{LIMITS, TIME, call, in_batches, inputs, open};
use interaction::MachineExecutor;
use path::{Executor, Following, Labels, Site};
use search::{MissingSide, Settled};
use session::{Opaque, Session};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use term::{Atom, FunctionName, Term};

const MODULES_PER_BATCH: usize = 6;
/// Of the sides that no input takes, so many of a hundred must be refuted. Of others it takes more than what is known of
/// single values, or a larger input takes them.
const BAR: usize = 50;

#[derive(Default)]
struct Score {
    functions: usize,
    sides: usize,
    taken: usize,
    refuted: usize,
    wrong: Vec<String>,
}

/// A function and all inputs that are tried.
struct Tried {
    function: String,
    inputs: Vec<Vec<Term>>,
}

#[test]
fn sides_that_inputs_take_are_not_refuted() {
    let mut score = Score::default();
    in_batches(MODULES_PER_BATCH, "sides", |random, number, name, folder| {
        let (text, tried) = match number % 2 {
            0 => {
                let generated = search_module(random, name);
                let tried = generated.searches.iter();
                let tried = tried.map(|search| Tried { function: search.function.clone(), inputs: inputs_of(search) });
                (generated.text.clone(), tried.collect::<Vec<_>>())
            }
            _ => {
                let generated = reach_module(random, name);
                let entries = generated.entries.into_iter();
                let tried = entries.map(|function| Tried { function, inputs: pairs() });
                (generated.text, tried.collect())
            }
        };
        compare(&text, name, &tried, folder, &mut score);
    });
    let Score { functions, sides, taken, refuted, wrong } = score;
    let open = sides - taken;
    println!("sides: {functions} functions, {sides} sides, {taken} taken, {refuted} of the other {open} refuted");
    assert!(wrong.is_empty(), "seed {}: {}", seed(), wrong.join("\n"));
    assert!(refuted * 100 >= BAR * open, "seed {}: only {refuted} of {open} are refuted", seed());
}

fn pairs() -> Vec<Vec<Term>> {
    let all = || (0..=LARGEST_INPUT).map(Term::Int);
    all().flat_map(|first| all().map(move |second| vec![first.clone(), second])).collect()
}

fn compare(text: &str, name: &str, tried: &[Tried], folder: &Path, score: &mut Score) {
    let (code, _) = open(text, name, folder, false);
    let mut session = Opaque::default().session(&code, LIMITS).expect("a session");
    let module = Atom::new(name);
    for Tried { function, inputs } in tried {
        score.functions += 1;
        let arity = inputs.first().map_or(0, Vec::len) as u32;
        let unit = FunctionName { module, function: Atom::new(function), arity };
        let (ways, taken) = all_sides(&mut session, unit, inputs);
        let mut executor = MachineExecutor::new(&mut session.machine);
        let mut sides: Vec<(Site, u32)> = Vec::new();
        let mut asked: Vec<MissingSide> = Vec::new();
        for (site, count) in ways {
            for way in 0..count {
                if let Some(question) = executor.question(site) {
                    sides.push((site, way));
                    asked.push(MissingSide { question, way });
                }
            }
        }
        let settled = settle(&code, LIMITS, unit, &[module], &asked, &Samples::default(), TIME);
        for ((side, settled), asked) in sides.iter().zip(settled).zip(asked) {
            let is_taken = taken.contains(side);
            score.sides += 1;
            score.taken += usize::from(is_taken);
            if matches!(settled, Settled::Unreachable) {
                score.refuted += usize::from(!is_taken);
                if is_taken {
                    let place = executor.place_of(side.0);
                    score.wrong.push(format!("{unit} takes side {} of {place:?}, {asked:?}:\n{text}", side.1));
                }
            }
        }
    }
}

/// The branches in the module that runs come to, with the number of their sides, and the sides that inputs take.
fn all_sides(
    session: &mut Session,
    unit: FunctionName,
    tried: &[Vec<Term>],
) -> (BTreeMap<Site, u32>, BTreeSet<(Site, u32)>) {
    let contract = session.unit(unit.module, unit.function, unit.arity).expect("it is exported").contract;
    let declared = contract.clauses.first().map(|clause| clause.accepts.clone()).unwrap_or_default();
    let args = inputs(unit.arity);
    let mut executor = MachineExecutor::new(&mut session.machine);
    let (mut ways, mut taken): (BTreeMap<Site, u32>, BTreeSet<(Site, u32)>) = Default::default();
    for data in tried {
        let call = call(unit, &args, data, &contract.types);
        let (labels, samples) = (Labels::default(), Samples::default());
        let following = Following {
            declared: &declared,
            plan: None,
            labels: &labels,
            samples: &samples,
            before: Vec::new(),
            wants_result: false,
        };
        let followed = executor.follow(&call, following);
        for event in &followed.recorder.events {
            let Some(decision) = event.decision() else { continue };
            if executor.module_of(decision.site.place) == Some(unit.module) {
                let known = ways.entry(decision.site).or_default();
                *known = (*known).max(event.ways());
                taken.insert((decision.site, decision.way));
            }
        }
    }
    (ways, taken)
}
