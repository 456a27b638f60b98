//! Runs of one function on many inputs, each compared with all the others: what a run recorded must be
//! true of its own input, and say of every other input where its run goes another way.

use crate::language::Small;
use formula::{Assignment, Evaluation, Variable};
use machine::value::copy_in;
use machine::{Limits, Machine, NoModules};
use path::{Concretised, Event, Outcome};
use std::sync::Arc;
use term::{Atom, Term};

pub struct Run {
    pub inputs: Vec<Term>,
    pub outcome: String,
    pub events: Vec<Event>,
    pub losses: Vec<Concretised>,
}

const LIB: &str = "(module lib
  (function f0 twice 1 exported (remote small + v0 v0))
  (function f1 pick 1 exported (case (v0) (of (1) one) (of (_) other))))";

pub fn machine_with(functions: &str, eager_collection: bool) -> Machine {
    let limits = Limits { memory: 64 << 20, eager_collection, ..Limits::default() };
    let mut machine = Machine::new(&Small, Box::new(NoModules), limits).unwrap();
    machine.add(Arc::new(program::read(LIB).unwrap()));
    machine.add(Arc::new(program::read(&format!("(module m {functions})")).unwrap()));
    machine
}

/// Runs `m:main` of these functions on every list of inputs and compares them all. Nothing is lost.
pub fn exact(functions: &str, inputs: &[Vec<Term>]) -> Vec<Run> {
    let runs = compared(functions, inputs);
    for run in &runs {
        assert_eq!(run.losses, Vec::new(), "on {:?}", run.inputs);
    }
    runs
}

/// Likewise, where something may be lost.
pub fn compared(functions: &str, inputs: &[Vec<Term>]) -> Vec<Run> {
    let mut machine = machine_with(functions, false);
    let mut runs = Vec::new();
    for own in inputs {
        let run = run(&mut machine, own);
        let (mut formulas, _) = std::mem::take(machine.recorder_mut()).into_path();
        let taken: Vec<_> =
            run.events.iter().filter_map(|event| Some(event.condition(event.decision()?.way, &mut formulas))).collect();
        for other in inputs {
            let assignment = assignment(other);
            let mut evaluation = Evaluation::new(&formulas, &assignment);
            let differs = taken.iter().position(|condition| evaluation.holds(*condition) != Some(true));
            let values: Vec<_> = taken.iter().map(|condition| evaluation.value(*condition)).collect();
            runs.push((own.clone(), other.clone(), differs, values));
        }
    }
    let predictions = runs;
    let runs: Vec<Run> = inputs.iter().map(|inputs| run(&mut machine, inputs)).collect();
    let of = |inputs: &[Term]| runs.iter().find(|run| run.inputs == inputs).unwrap();
    for (own, other, differs, values) in predictions {
        let (ours, theirs) = (of(&own), of(&other));
        let about = || format!("{own:?} against {other:?}: {values:?}\n{:#?}\n{:#?}", ours.events, theirs.events);
        let decisions = |run: &Run| run.events.iter().filter_map(Event::decision).collect::<Vec<_>>();
        let (a, b) = (decisions(ours), decisions(theirs));
        match differs {
            None => assert_eq!(a, b, "{}", about()),
            Some(at) => {
                assert!(own != other, "{}", about());
                assert_eq!(a[..at], b[..at.min(b.len())], "{}", about());
                let (taken, Some(went)) = (a[at], b.get(at)) else { panic!("{}", about()) };
                assert!(taken.site == went.site && taken.way != went.way, "{}", about());
            }
        }
    }
    // Nothing may depend on what survives a collection.
    let mut collecting = machine_with(functions, true);
    for run in &runs {
        let again = self::run(&mut collecting, &run.inputs);
        assert_eq!((&run.outcome, run.events.len()), (&again.outcome, again.events.len()), "on {:?}", run.inputs);
    }
    runs
}

fn assignment(inputs: &[Term]) -> Assignment {
    inputs.iter().enumerate().map(|(index, term)| (Variable(index as u32), term.clone())).collect()
}

/// With all inputs symbolic; the concrete run must end alike.
fn run(machine: &mut Machine, inputs: &[Term]) -> Run {
    let (module, main) = (Atom::new("m"), Atom::new("main"));
    let concrete = outcome(machine.run(module, main, inputs));
    assert!(machine.recorder().events.is_empty(), "a concrete run records nothing");
    let symbolic = machine.run_with(module, main, |context| {
        let inputs = inputs.iter().enumerate().map(|(index, term)| {
            let concrete = copy_in(&mut context.heap, term);
            let formula = context.recorder.formulas.variable(Variable(index as u32));
            context.heap.symbolic(concrete, formula)
        });
        inputs.collect()
    });
    let outcome = outcome(symbolic);
    assert_eq!(outcome, concrete, "on {inputs:?}");
    let events = machine.recorder().events.clone();
    let losses = events.iter().filter_map(|event| match event {
        Event::Concretised { why, .. } => Some(*why),
        Event::Branch { .. } | Event::Switch { .. } | Event::Lookup { .. } | Event::Choice { .. } => None,
    });
    Run { inputs: inputs.to_vec(), outcome, losses: losses.collect(), events }
}

fn outcome(outcome: Outcome) -> String {
    match outcome {
        Outcome::Value(term) => format!("{term:?}"),
        Outcome::Raised(raised) => format!("raised {:?}", raised.reason),
        Outcome::Stopped(stop) => format!("stopped: {stop:?}"),
    }
}
