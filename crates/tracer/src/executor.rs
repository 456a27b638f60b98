//! Compares runs of our machine with runs on the real runtime, as an executor that the search can use like any other.

use crate::compare::{Compared, End, Excuse, Ours, compare, compare_losses, is_limit};
use crate::events::Events;
use crate::ledger::{Differing, Ledger, Words, in_words};
use crate::log::Log;
use crate::losses::Losses;
use formula::{Sample, Variable};
use frontend::{Call as PlainCall, Code, FrontEnd, Limits, Outcome as Theirs, Traced, TracedCall};
use interaction::MachineExecutor;
use path::{
    Call, CallEnd, Executor, Followed, Following, Goal, InputValue, Outcome, Raised, Reach, Recorder, Replayed, Stop,
    Turn, Turns, Value, Watched, Witness, Wrapper, has_functions,
};
use std::sync::Arc;
use std::time::Duration;
use term::{FunctionName, Term};

/// The executor that runs a program for a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Our machine. A run that calls what only the runtime may do is made on the runtime first, and then rebuilt.
    #[default]
    Machine,
    /// Every run is made on the runtime first, and rebuilt by our machine with its log.
    Beam,
    /// Our machine without the log, and the runtime for comparison.
    Both,
}

/// The time limit of a run on the runtime that waits for something.
const TIME: Duration = Duration::from_secs(2);

/// The time limit of a run that works all the time. The runtime needs less for what our machine can do in a run.
const WORKING_TIME: Duration = Duration::from_millis(300);

/// Our machine and the real runtime as one executor.
pub struct TracingExecutor<'m> {
    machine: MachineExecutor<'m>,
    runtime: Runtime<'m>,
}

/// How calls are made on the runtime.
pub struct Runtime<'m> {
    pub mode: Mode,
    pub code: Arc<dyn Code>,
    /// Writes calls that have inputs other than data as text, for the runtime to evaluate.
    pub language: &'m dyn FrontEnd,
    /// Calls that are made before each run, as such texts.
    pub setups: Vec<String>,
    pub ledger: &'m mut Ledger,
}

/// The expected end of a run on the runtime.
#[derive(Clone, Copy)]
enum Expected {
    End,
    /// It works or waits for ever, or for longer than our machine goes on: only its beginning is needed.
    NoEnd,
    Anything,
}

/// The facts known about a call on the runtime.
struct There {
    /// The run, or the reason why there was none.
    traced: Result<Traced, Excuse>,
    /// The comparison of the losses, if the run was rebuilt for it.
    losses: Option<Compared>,
    /// The text that was evaluated, if the call is more than a function with data.
    text: Option<String>,
    /// Whether the last step of a client has not returned.
    may_raise: bool,
}

impl Default for There {
    fn default() -> There {
        There { traced: Err(Excuse::NotAsked), losses: None, text: None, may_raise: false }
    }
}

impl<'m> TracingExecutor<'m> {
    pub fn new(machine: MachineExecutor<'m>, runtime: Runtime<'m>) -> TracingExecutor<'m> {
        TracingExecutor { machine, runtime }
    }

    fn log(&self) -> Log {
        Log::new(&self.runtime.code, LIMITS)
    }

    /// Runs a call with our machine, again with the log of the runtime if that is needed. `witness` returns the data
    /// and the function inputs of a run, with which the call can be written down.
    fn run<R: Ran>(
        &mut self,
        call: &Call<'_>,
        written: Option<&Arc<Witness>>,
        mut run: impl FnMut(&mut MachineExecutor<'m>) -> R,
        witness: impl FnOnce(&R) -> Option<(Vec<Term>, Arc<Witness>)>,
    ) -> (R, There) {
        let log = self.log();
        self.machine.set_outside(Some(Box::new(log.clone())));
        let known = self.runtime.spoken(call, call.data, written);
        let is_first = self.runtime.mode == Mode::Beam;
        let traced = match &known {
            Ok(known) if is_first => self.runtime.trace(known, None, Expected::Anything),
            Ok(_) | Err(_) => Err(Excuse::NotAsked),
        };
        log.begin(traced.as_ref().ok().map(|traced| (&*traced.outside, Some(&traced.outcome))));
        let ran = run(&mut self.machine);
        if traced.is_ok() {
            self.runtime.ledger.rebuilt += u64::from(traced.as_ref().is_ok_and(|traced| !traced.outside.is_empty()));
            return (ran, There { traced, ..There::default() });
        }
        match self.runtime.mode {
            Mode::Machine if log.is_missing() => {
                let trace = |known| self.runtime.trace(&known, None, Expected::End).ok();
                let Some(traced) = known.ok().and_then(trace) else { return (ran, There::default()) };
                log.begin(Some((&traced.outside, Some(&traced.outcome))));
                self.runtime.ledger.rebuilt += 1;
                (run(&mut self.machine), There { traced: Ok(traced), ..There::default() })
            }
            Mode::Machine => (ran, There::default()),
            Mode::Beam | Mode::Both => {
                // Our run ends where the program calls what only the runtime may do, so there is no order to force on
                // the runtime.
                let is_missing = log.is_missing();
                // The run has determined what function inputs do.
                let made = if known.is_err() { witness(&ran) } else { None };
                let scenario = made.as_ref().map(|(_, witness)| witness).or(written);
                let last = scenario.and_then(|witness| witness.scenario.as_ref()?.steps.last());
                let may_raise = last.is_some_and(|step| step.returned.is_none());
                let known = match &made {
                    Some((data, witness)) => self.runtime.spoken(call, data, Some(witness)),
                    None => known,
                };
                let order = ran.order().filter(|_| self.runtime.code.is_conducted() && !is_missing);
                let text = known.as_ref().ok().and_then(|known| self.runtime.shown(known));
                let expected = match is_missing || is_whole(ran.ended()) && !waits_for_ever(ran.ended()) {
                    true => Expected::End,
                    false => Expected::NoEnd,
                };
                let traced = known.and_then(|known| self.runtime.trace(&known, order.as_deref(), expected));
                let rebuilt = match &traced {
                    // Repeating a run that was stopped would show nothing more.
                    Ok(traced) if is_missing || self.runtime.mode == Mode::Both && is_whole(ran.ended()) => {
                        log.begin(Some((&traced.outside, Some(&traced.outcome))));
                        Some((run(&mut self.machine), !traced.outside.is_empty()))
                    }
                    Ok(_) | Err(_) => None,
                };
                match rebuilt {
                    Some((rebuilt, _)) if is_missing => {
                        self.runtime.ledger.rebuilt += 1;
                        (rebuilt, There { traced, losses: None, text, may_raise })
                    }
                    Some((rebuilt, has_outside)) => {
                        let compare = || compare_losses(&ran.losses(), &rebuilt.losses(), has_outside);
                        let losses = is_whole(rebuilt.ended()).then(compare);
                        (ran, There { traced, losses, text, may_raise })
                    }
                    None => (ran, There { traced, losses: None, text, may_raise }),
                }
            }
        }
    }

    fn compare(&mut self, call: &Call<'_>, ours: &Ours<'_>, there: There) {
        let There { traced, losses, text, may_raise: _ } = there;
        let Runtime { mode, code, ledger, language, setups } = &mut self.runtime;
        let compared = match &traced {
            // The runtime's events include the choices of the setups, those of our machine do not.
            Ok(_) if !setups.is_empty() => Compared::Excused(Excuse::MachineOnly),
            Ok(traced) => match compare(&**code, ours, traced) {
                Compared::Same => losses.unwrap_or(Compared::Same),
                compared => compared,
            },
            Err(_) if *mode == Mode::Machine => return,
            Err(excuse) => Compared::Excused(*excuse),
        };
        ledger.note(&compared, |difference| {
            let mut events = Events::default();
            let sources = code.source_modules().map(|(module, _)| module);
            for module in sources.chain(code.instrumented().iter().copied()) {
                if let Ok(Some(module)) = code.load_for_runs(module) {
                    events.add(&module);
                }
            }
            let FunctionName { module, function, .. } = call.function;
            let args: Vec<String> =
                values(call, call.data, None).iter().map(|input| language.asking().input(input, false)).collect();
            let theirs = traced.as_ref().map_or_else(|_| String::new(), |traced| theirs(*language, &traced.outcome));
            let words = Words {
                events: &events,
                ours: &our_end(*language, ours.end),
                theirs: &theirs,
                printer: language.asking(),
                shown: &|term| language.shown(term, None),
            };
            let how = in_words(difference, &words);
            Differing { call: text.unwrap_or_else(|| language.asking().call(module, function, &args)), how }
        });
    }
}

const LIMITS: Limits = Limits { time: TIME, heap_words: 64 << 20 };

impl Runtime<'_> {
    /// Makes a call on the runtime. `order` is the order of our run's operations, to be forced on the runtime.
    fn trace(&self, call: &TracedCall, order: Option<&[Turn]>, expected: Expected) -> Result<Traced, Excuse> {
        let trace =
            |time| self.code.trace_in_order(call, Limits { time, ..LIMITS }, order).map_err(|_| Excuse::NotAsked);
        match expected {
            Expected::End => trace(TIME),
            Expected::NoEnd => trace(WORKING_TIME),
            // Functions outside must not be called twice.
            Expected::Anything if !self.code.effects().is_empty() => trace(TIME),
            Expected::Anything => {
                let traced = trace(WORKING_TIME)?;
                let has_time = traced.is_waiting && matches!(traced.outcome, Theirs::Timeout { .. });
                if has_time { trace(TIME) } else { Ok(traced) }
            }
        }
    }

    /// Returns the text of a call without the statements that only the runtime needs.
    fn shown(&self, call: &TracedCall) -> Option<String> {
        let TracedCall::Text { text, .. } = call else { return None };
        let between = self.code.rest().map(|rest| format!(", {rest}")).unwrap_or_default();
        Some(if between.is_empty() { text.clone() } else { text.replace(&between, "") })
    }

    /// Returns the call in the form that the runtime evaluates, or an error if a part of it exists on our machine only.
    fn spoken(&self, call: &Call<'_>, data: &[Term], written: Option<&Arc<Witness>>) -> Result<TracedCall, Excuse> {
        if call.applied.is_some() || data.iter().any(path::functions::has_identities) {
            return Err(Excuse::MachineOnly);
        }
        if call.client.is_some() {
            return self.spoken_scenario(written);
        }
        let FunctionName { module, function, .. } = call.function;
        let plain = call.args.iter().map(|arg| arg.as_data().and_then(|leaf| data.get(leaf.0 as usize)).cloned());
        let is_plain = |terms: &Vec<Term>| !terms.iter().any(has_functions);
        if let Some(args) = plain.collect::<Option<Vec<Term>>>().filter(is_plain)
            && self.setups.is_empty()
        {
            return Ok(TracedCall::Plain(PlainCall { module, function, args }));
        }
        if written.is_none() && data.iter().any(has_functions) {
            return Err(Excuse::MachineOnly);
        }
        // The evaluator of texts itself uses modules of libraries, which are instrumented here.
        if !self.code.instrumented().is_empty() {
            return Err(Excuse::MachineOnly);
        }
        let asking = self.language.asking();
        let written = report::call_with(asking, call.function, &values(call, data, written));
        let statements = self.setups.iter().cloned().chain([written]);
        Ok(TracedCall::Text { text: statements.collect::<Vec<_>>().join(", "), home: None })
    }

    /// Returns the call that does what a client did, if that is written down. After each step, other processes may
    /// finish their work.
    fn spoken_scenario(&self, written: Option<&Arc<Witness>>) -> Result<TracedCall, Excuse> {
        let scenario = written.and_then(|written| Some((written.scenario.as_ref()?, written)));
        let Some((scenario, functions)) = scenario.filter(|_| self.code.instrumented().is_empty()) else {
            return Err(Excuse::MachineOnly);
        };
        let steps = self.language.asking().scenario(scenario, functions);
        let between = self.code.rest();
        let mut statements = self.setups.clone();
        for step in steps {
            statements.push(step);
            statements.extend(between.clone());
        }
        Ok(TracedCall::Text { text: statements.join(", "), home: None })
    }
}

/// Returns the inputs of a call.
fn values(call: &Call<'_>, data: &[Term], written: Option<&Arc<Witness>>) -> Vec<InputValue> {
    let term = |variable: &Variable| data.get(variable.0 as usize).cloned().unwrap_or(Term::Nil);
    let mut value = |variable: &Variable| Value::new(term(variable), written);
    call.args.iter().map(|input| input.map(&mut value)).collect()
}

fn our_end(language: &dyn FrontEnd, end: End<'_>) -> String {
    match end {
        End::Outcome(Outcome::Value(value)) => format!("the value {}", language.shown(value, None)),
        End::Outcome(Outcome::Raised(raised)) => {
            format!("the exception {} {}", raised.class.atom(), language.shown(&raised.reason, None))
        }
        End::Outcome(Outcome::Stopped(stop)) => report::stopped(stop, &|name| language.function(name)),
        End::Unknown => "the failure of another process".to_string(),
        End::ByInput => "what an input did".to_string(),
        End::Scenario { .. } => "the last step of a client".to_string(),
    }
}

fn theirs(language: &dyn FrontEnd, outcome: &Theirs) -> String {
    match outcome {
        Theirs::Value { term, .. } => format!("the value {}", language.shown(term, None)),
        Theirs::Raised { class, reason, .. } => format!("the exception {class} {}", language.shown(reason, None)),
        Theirs::Timeout { .. } => "its time limit".to_string(),
        Theirs::HeapExceeded => "its memory limit".to_string(),
        Theirs::Killed { reason } => format!("the exit signal {}", language.shown(reason, None)),
        Theirs::Unreadable { message } => format!("a call that it cannot read: {message}"),
        Theirs::Stopped { module, function, arity } => {
            format!("the forbidden call of {module}:{function}/{arity}")
        }
        Theirs::RuntimeDied { message } => format!("the end of the runtime: {message}"),
    }
}

/// A run of our machine, with shadows or without.
trait Ran {
    fn ended(&self) -> &CallEnd;

    /// Returns the order of its operations, if it has several processes.
    fn order(&self) -> Option<Vec<Turn>>;

    fn losses(&self) -> Losses;
}

impl Ran for Followed {
    fn ended(&self) -> &CallEnd {
        &self.ended
    }

    fn order(&self) -> Option<Vec<Turn>> {
        schedule(self.recorder.has_processes, &self.recorder.turns)
    }

    fn losses(&self) -> Losses {
        Losses::of(&self.recorder.events, &self.recorder.surroundings)
    }
}

impl Ran for Replayed {
    fn ended(&self) -> &CallEnd {
        &self.ended
    }

    fn order(&self) -> Option<Vec<Turn>> {
        schedule(self.has_processes, &self.turns)
    }

    fn losses(&self) -> Losses {
        Losses::of(&[], &self.surroundings)
    }
}

fn schedule(has_processes: bool, turns: &Turns) -> Option<Vec<Turn>> {
    has_processes.then(|| turns.schedule(Term::OWN_PID))
}

/// Returns how the main process ended. `may_raise`: the last step of a client has not returned; `edge`: the exception
/// by which the unit refuses its arguments, if it does.
fn end_of<'r>(call: &Call<'_>, ended: &'r CallEnd, edge: Option<&'r Outcome>, may_raise: bool) -> End<'r> {
    match (ended, edge) {
        (_, Some(edge)) => End::Outcome(edge),
        (CallEnd::Plainly(Outcome::Value(_)), None) if call.client.is_some() => End::Scenario { may_raise },
        (CallEnd::Plainly(outcome), None) => match outcome {
            Outcome::Raised(Raised { reach: Reach::Nobody | Reach::Supervisor(_), .. }) => End::Unknown,
            Outcome::Raised(_) | Outcome::Value(_) | Outcome::Stopped(_) => End::Outcome(outcome),
        },
        (
            CallEnd::NotMade
            | CallEnd::RaisedByInput
            | CallEnd::LeftAlone { .. }
            | CallEnd::Edge(_)
            | CallEnd::WrongArity { .. }
            | CallEnd::Broken(_),
            None,
        ) => End::ByInput,
    }
}

/// Returns whether a run was not stopped at a limit. The losses of a run that was depend on when it was stopped.
fn is_whole(ended: &CallEnd) -> bool {
    !matches!(ended, CallEnd::Plainly(Outcome::Stopped(stop)) if is_limit(stop))
}

fn waits_for_ever(ended: &CallEnd) -> bool {
    matches!(ended, CallEnd::Plainly(Outcome::Stopped(Stop::Deadlock(_))))
}

fn edge_of(ended: &CallEnd) -> Option<Outcome> {
    match ended {
        CallEnd::Edge(raised) => Some(Outcome::Raised(raised.clone())),
        CallEnd::Plainly(_)
        | CallEnd::NotMade
        | CallEnd::RaisedByInput
        | CallEnd::LeftAlone { .. }
        | CallEnd::WrongArity { .. }
        | CallEnd::Broken(_) => None,
    }
}

impl Wrapper for TracingExecutor<'_> {
    fn inner(&self) -> &dyn Executor {
        &self.machine
    }

    fn inner_mut(&mut self) -> &mut dyn Executor {
        &mut self.machine
    }

    fn follow(&mut self, call: &Call<'_>, following: Following<'_>) -> Followed {
        let Following { declared, plan, labels, samples, before, wants_result } = following;
        let again =
            || Following { declared, plan: plan.clone(), labels, samples, before: before.clone(), wants_result };
        let witness = |followed: &Followed| {
            let (data, witness) = followed.played.as_ref()?.witness(call.data);
            Some((data, Arc::new(witness)))
        };
        let follow = |machine: &mut MachineExecutor<'_>| machine.follow(call, again());
        let (followed, there) = self.run(call, None, follow, witness);
        let edge = edge_of(&followed.ended);
        let ours = Ours {
            end: end_of(call, &followed.ended, edge.as_ref(), there.may_raise),
            clauses: &followed.recorder.clauses,
            has_processes: followed.recorder.has_processes,
            shortest_wait: followed.recorder.turns.shortest_wait,
            surroundings: &followed.recorder.surroundings,
        };
        self.compare(call, &ours, there);
        followed
    }

    fn replay(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed {
        let replay = |machine: &mut MachineExecutor<'_>| machine.replay(call, written);
        let (replayed, there) = self.run(call, written, replay, |_| None);
        let edge = edge_of(&replayed.ended);
        let ours = Ours {
            end: end_of(call, &replayed.ended, edge.as_ref(), there.may_raise),
            clauses: &replayed.clauses,
            has_processes: replayed.has_processes,
            shortest_wait: replayed.turns.shortest_wait,
            surroundings: &replayed.surroundings,
        };
        self.compare(call, &ours, there);
        replayed
    }

    /// Watches on our machine only, because the runtime does not show why a run does not end.
    fn watch(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>, goal: Goal) -> (Watched, Recorder) {
        self.machine.set_outside(None);
        self.machine.watch(call, written, goal)
    }

    fn sample(&mut self, function: FunctionName, args: &[Term], steps: u64) -> Option<Sample> {
        let log = self.log();
        log.set_live(true);
        self.machine.set_outside(Some(Box::new(log)));
        self.machine.sample(function, args, steps)
    }
}
