//! Runs a client at random, without shadows and without a solver, as a reference to compare searches with.

use crate::judge::{Judged, Key};
use crate::runner::{Inputs, Moves, Runner, Symbolic};
use crate::{Ended, Exploration, Finding, Host, Settings, Unit};
use formula::Assignment;
use path::Executor;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Calls the functions of a module in random order, with random arguments of the declared types.
pub fn explore_at_random(
    executor: &mut dyn Executor,
    unit: &Unit,
    settings: &Settings,
    host: &mut dyn Host,
) -> Exploration {
    executor.set_alarm(host.alarm());
    let mut runner = Runner::new(executor, unit, settings.samples.clone());
    let mut exploration = Exploration { ended: Ended::OutOfRuns, ..Exploration::default() };
    let mut found = FxHashSet::default();
    let form = runner.form(&[]);
    while exploration.runs < settings.max_runs {
        if host.out_of_time() {
            exploration.ended = Ended::OutOfTime;
            break;
        }
        exploration.runs += 1;
        let play = Moves { random: Some(settings.seed.wrapping_add(exploration.runs)), ..Moves::default() };
        let inputs = Inputs { play: Rc::new(play), ..Inputs::new(Rc::clone(&form), Assignment::default()) };
        let Symbolic { judged, written, .. } = runner.symbolic(&inputs, settings.steps);
        let (Judged::Failed(failure), Some(written)) = (judged, written) else { continue };
        if !found.insert(Key::of(&failure, unit, &written.terms())) {
            continue;
        }
        let functions = written.written.clone().unwrap_or_default();
        let (said, depends_on) = (Vec::new(), Vec::new());
        let finding = Finding {
            inputs: written.shown(),
            functions,
            said,
            failure,
            runs: exploration.runs,
            depends_on,
            refused: None,
            made_wrong: None,
            compares_functions: false,
        };
        host.found(&finding);
        exploration.findings.push(finding);
    }
    exploration
}
