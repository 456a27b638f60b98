//! The sides of the branches of a function: which of them inputs take, and which are proved unreachable.

use crate::generated::{call, inputs};
use campaign::reaching::settle;
use formula::Samples;
use frontend::Code;
use interaction::MachineExecutor;
use machine::Limits;
use path::{Executor, Following, Labels, Site};
use search::{MissingSide, Settled};
use session::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use term::{FunctionName, Term};

/// A side of a branch in the module of a function.
pub struct JudgedSide {
    /// The side, for people.
    pub shown: String,
    pub is_taken: bool,
    pub is_refuted: bool,
}

/// Returns all sides of the branches that the inputs come to.
pub fn sides(
    code: &Arc<dyn Code>,
    session: &mut Session,
    unit: FunctionName,
    tried: &[Vec<Term>],
    limits: Limits,
    time: Duration,
) -> Vec<JudgedSide> {
    let (ways, taken) = all_sides(session, unit, tried);
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
    let (settled, _) = settle(code, limits, unit, &[unit.module], &asked, &Samples::default(), time);
    let judged = |((side, settled), asked): ((&(Site, u32), Settled), MissingSide)| JudgedSide {
        shown: format!("side {} of {:?}, {asked:?}", side.1, executor.place_of(side.0)),
        is_taken: taken.contains(side),
        is_refuted: matches!(settled, Settled::Unreachable),
    };
    sides.iter().zip(settled).zip(asked).map(judged).collect()
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
