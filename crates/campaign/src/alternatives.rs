//! Runs a call with a trace, and finds inputs with which the run would have taken other sides.

use contract::Contract;
use formula::{Assignment, Learner, Sample, Samples, Types, Variable};
use interaction::MachineExecutor;
use path::{Call, CallEnd, Executor, Followed, Following, Input, Labels, Outcome, Surrounding, Trace, TraceEvent};
use session::{Session, UnitError};
use solver::{Answer, Query, Solver};
use std::cell::RefCell;
use std::time::{Duration, Instant};
use term::{FunctionName, Term};

/// The step limit of one call that samples a function.
const STEPS_OF_SAMPLE: u64 = 1_000_000;

/// The trace of a run, and the other sides that its decisions could have taken.
pub struct Explained {
    /// `None` if the call ended in a way that a trace cannot show.
    pub outcome: Option<Outcome>,
    pub trace: Trace,
    pub has_processes: bool,
    /// The surroundings that the run depends on besides its arguments.
    pub surroundings: Vec<Surrounding>,
    pub others: Vec<Other>,
    /// The number of sides for which it is undecided whether an input takes them.
    pub undecided: usize,
    /// Whether the time ran out before all decisions were examined.
    pub is_cut: bool,
}

/// Arguments with which a run makes the same decisions up to a certain one, and takes another side there.
pub struct Other {
    /// The number of decisions before that one.
    pub decision: usize,
    pub args: Vec<Term>,
    /// The first event that differs from the trace of the original run.
    pub way: Option<TraceEvent>,
    /// How that run ended, if its trace has no event that differs.
    pub outcome: Option<Outcome>,
}

/// Runs a call with shadows and asks the solver for inputs that take the other sides of its decisions.
pub fn explain(
    session: &mut Session,
    solver: &mut dyn Solver,
    function: FunctionName,
    args: &[Term],
    steps: u64,
    time: Duration,
) -> Result<Explained, UnitError> {
    let start = Instant::now();
    let contract = session.unit(function.module, function.function, function.arity)?.contract;
    let mut explained = {
        let mut executor = MachineExecutor::new(&mut session.machine);
        let followed = follow(&mut executor, &contract, function, args, steps);
        let is_late = || start.elapsed() >= time;
        solver.set_time_left(Some(time));
        other_ways(&mut executor, solver, followed, args, &is_late)
    };
    session.machine.set_steps(steps);
    for other in &mut explained.others {
        if start.elapsed() >= time {
            explained.is_cut = true;
            break;
        }
        let outcome = session.machine.run(function.module, function.function, &other.args);
        let trace = std::mem::take(&mut session.machine.recorder_mut().trace);
        let mut pairs = trace.events.iter().zip(&explained.trace.events);
        let same = pairs.position(|(other, own)| !is_same_step(other, own));
        let at = same.unwrap_or(trace.events.len().min(explained.trace.events.len()));
        other.way = trace.events.get(at).cloned();
        other.outcome = other.way.is_none().then_some(outcome);
    }
    Ok(explained)
}

fn follow(
    executor: &mut MachineExecutor<'_>,
    contract: &Contract,
    function: FunctionName,
    args: &[Term],
    steps: u64,
) -> Followed {
    // Arguments that no clause of the specification covers may be replaced by any others.
    let clause = contract.clauses.iter().find(|clause| clause.covers(&contract.types, args));
    let declared = clause.map_or_else(|| vec![Types::ANY; args.len()], |clause| clause.accepts.clone());
    let inputs: Vec<Input<Variable>> = (0..args.len() as u32).map(|index| Input::Data(Variable(index))).collect();
    let call = Call { function, args: &inputs, data: args, types: &contract.types, applied: None, client: None, steps };
    let following = Following {
        declared: &declared,
        plan: None,
        labels: &Labels::default(),
        samples: &Samples::default(),
        before: Vec::new(),
        wants_result: false,
    };
    executor.follow(&call, following)
}

fn other_ways(
    executor: &mut MachineExecutor<'_>,
    solver: &mut dyn Solver,
    followed: Followed,
    args: &[Term],
    is_late: &dyn Fn() -> bool,
) -> Explained {
    let Followed { ended, mut recorder, .. } = followed;
    let outcome = match ended {
        CallEnd::Plainly(outcome) => Some(outcome),
        CallEnd::Edge(raised) => Some(Outcome::Raised(raised)),
        CallEnd::NotMade
        | CallEnd::RaisedByInput
        | CallEnd::LeftAlone { .. }
        | CallEnd::WrongArity { .. }
        | CallEnd::Broken(_) => None,
    };
    let values: Assignment = (0..).map(Variable).zip(args.iter().cloned()).collect();
    let trace = std::mem::take(&mut recorder.trace);
    let (has_processes, surroundings) = (recorder.has_processes, std::mem::take(&mut recorder.surroundings));
    let (mut formulas, events) = recorder.into_path();
    let formulas = &mut formulas;
    let learner = Calling(RefCell::new(executor));
    let mut explained =
        Explained { outcome, trace, has_processes, surroundings, others: Vec::new(), undecided: 0, is_cut: false };
    let mut held = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let Some(decision) = event.decision() else { continue };
        for way in (0..event.ways()).filter(|way| *way != decision.way) {
            if is_late() {
                explained.is_cut = true;
                return explained;
            }
            let wanted = event.condition(way, formulas);
            if formulas.as_boolean(wanted) == Some(false) {
                continue;
            }
            let mut query = Query::new(formulas, &values, &held, wanted, &learner);
            match solver.solve(&mut query) {
                Answer::Sat(solution) => {
                    let value =
                        |(number, own): (u32, &Term)| solution.values.get(&Variable(number)).unwrap_or(own).clone();
                    let args = (0..).zip(args).map(value).collect();
                    explained.others.push(Other { decision: index, args, way: None, outcome: None });
                }
                Answer::Unsat { .. } => {}
                Answer::Unknown(_) => explained.undecided += 1,
            }
        }
        held.push(event.condition(decision.way, formulas));
    }
    explained
}

/// Returns whether two events are the same step, regardless of its values. Only the outcomes of tests must be equal.
fn is_same_step(one: &TraceEvent, other: &TraceEvent) -> bool {
    let step = |event: &TraceEvent| (event.kind, event.function, event.line, event.column, event.clause, event.level);
    let is_same_test = one.kind != path::TraceKind::Test || one.values == other.values;
    step(one) == step(other) && is_same_test
}

/// Samples functions on the machine.
struct Calling<'e, 'm>(RefCell<&'e mut MachineExecutor<'m>>);

impl Learner for Calling<'_, '_> {
    fn learn(&self, function: FunctionName, args: &[Term]) -> Option<Sample> {
        self.0.try_borrow_mut().ok()?.sample(function, args, STEPS_OF_SAMPLE)
    }
}
