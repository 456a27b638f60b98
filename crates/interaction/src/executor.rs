//! The machine as an executor: inputs are placed on its heap, and function inputs are played.

use crate::play::Play;
use crate::replay::Replay;
use crate::{driver, wrapper};
use formula::{Formulas, Sample, Variable};
use machine::value::copy_in;
use machine::{Context, Elsewhere, Machine, Player, Refusal, Word};
use path::{
    Alarm, Broken, Call, CallEnd, Class, Executor, Followed, Following, Goal, Input, Outcome, Place, Played,
    ProcessName, Question, Raised, Reach, Recorder, Replayed, Setup, Site, SitePlace, Stop, Stranger, Surrounding,
    Waiting, Watched, Witness,
};
use rustc_hash::FxHashMap;
use std::any::Any;
use std::sync::Arc;
use term::{Atom, Fun, FunctionName, Term, names};

/// The number of strangers from which on some combinations of equal processes are not tried.
const MOST_STRANGERS: usize = 3;

pub struct MachineExecutor<'m> {
    machine: &'m mut Machine,
    /// The modules that make inputs by calls.
    wrappers: FxHashMap<(FunctionName, Vec<Input<Variable>>), Atom>,
    /// Calls that are made before each run.
    setups: Vec<Setup>,
    /// Whether the machine starts every run after the setups. `None` before the first run.
    is_prepared: Option<bool>,
    /// The step limit that the machine had before.
    steps: u64,
}

impl<'m> MachineExecutor<'m> {
    pub fn new(machine: &'m mut Machine) -> MachineExecutor<'m> {
        let steps = machine.set_steps(u64::MAX);
        MachineExecutor { machine, wrappers: FxHashMap::default(), setups: Vec::new(), is_prepared: None, steps }
    }

    /// Makes these calls before each run.
    pub fn with_setups(mut self, setups: Vec<Setup>) -> MachineExecutor<'m> {
        self.setups = setups;
        self
    }

    /// Sets the source of what functions outside did, for the runs from now on.
    pub fn set_outside(&mut self, outside: Option<Box<dyn Elsewhere>>) {
        self.machine.set_outside(outside);
    }

    pub fn has_setups(&self) -> bool {
        !self.setups.is_empty()
    }

    /// Returns the modules that runs have called.
    pub fn used_modules(&self) -> impl Iterator<Item = Atom> {
        self.machine.used_modules()
    }

    /// Returns the end of a call for an exception that it raised on another executor.
    pub fn meaning_of(&self, call: &Call<'_>, raised: Raised) -> CallEnd {
        self.conclude_raised(call, raised, None)
    }

    fn wrapper(&mut self, call: &Call<'_>) -> Option<Atom> {
        if call.args.iter().all(|arg| arg.as_data().is_some()) {
            return None;
        }
        let key = (call.function, call.args.to_vec());
        let number = self.wrappers.len();
        let machine = &mut *self.machine;
        let name = self.wrappers.entry(key).or_insert_with(|| {
            let name = Atom::new(&format!("$beagle: inputs {number}"));
            machine.add(Arc::new(wrapper::module(name, call.args, call.data.len() as u32, call.function)));
            name
        });
        Some(*name)
    }

    /// Runs a call. `place` puts the data on the heap.
    fn run(
        &mut self,
        call: &Call<'_>,
        wrapper: Option<Atom>,
        place: impl FnOnce(&mut Context) -> Vec<Word> + Send,
    ) -> Outcome {
        let FunctionName { module, function, .. } = call.function;
        self.machine.set_steps(call.steps);
        let driver = Atom::new(driver::MODULE);
        if call.client.is_some() {
            return self.run_prepared(Atom::new(driver::CLIENT_MODULE), Atom::new(driver::CLIENT), |context| {
                context.world.has_client = true;
                place(context)
            });
        }
        match wrapper {
            Some(wrapper) => self.run_prepared(wrapper, Atom::new(wrapper::FUNCTION), place),
            None if call.applied.is_some() => self.run_prepared(driver, Atom::new(driver::RUN), |context| {
                let args = place(context);
                let args = context.heap.list(&args, Word::NIL);
                vec![Word::atom(module), Word::atom(function), args]
            }),
            None => self.run_prepared(module, function, place),
        }
    }

    /// Runs a function after the setups.
    fn run_prepared(
        &mut self,
        module: Atom,
        function: Atom,
        place: impl FnOnce(&mut Context) -> Vec<Word> + Send,
    ) -> Outcome {
        if self.setups.is_empty() || self.is_prepared() {
            return self.machine.run_with(module, function, place);
        }
        let setups = &self.setups;
        self.machine.run_with(Atom::new(driver::MODULE), Atom::new(driver::PREPARED), |context| {
            let args = place(context);
            let args = context.heap.list(&args, Word::NIL);
            let call = |setup: &Setup| copy_in(&mut context.heap, &call_of(setup));
            let calls: Vec<Word> = setups.iter().map(call).collect();
            let setups = context.heap.list(&calls, Word::NIL);
            vec![setups, Word::atom(module), Word::atom(function), args]
        })
    }

    /// Returns whether runs start after the setups. The setups are called once for all runs; if one of them fails,
    /// every run calls them, so that it fails in the same way.
    fn is_prepared(&mut self) -> bool {
        let (machine, setups) = (&mut *self.machine, &self.setups);
        *self.is_prepared.get_or_insert_with(|| {
            let setups = Term::list(setups.iter().map(call_of).collect::<Vec<_>>());
            machine.start_after(Atom::new(driver::MODULE), Atom::new(driver::SET_UP), &[setups])
        })
    }

    /// Returns the end of a call for an outcome, and the arguments that the wrapper made.
    fn conclude(
        &mut self,
        call: &Call<'_>,
        outcome: Outcome,
        wrapper: Option<Atom>,
        broken: Option<Broken>,
    ) -> (CallEnd, Vec<Term>) {
        let failure = self.machine.take_failure();
        let outcome = match call.client {
            Some(_) => outcome_of_client(outcome, failure),
            None => outcome_of_all(outcome, failure),
        };
        let strangers: Vec<&Stranger<Variable>> = call.args.iter().flat_map(Input::strangers).collect();
        let has_strangers = call.client.is_some() || !strangers.is_empty();
        if has_strangers && self.is_left_alone(call, &outcome) {
            let waits_for_message = |process: &Waiting| process.process.is_main() && process.waits_for.is_empty();
            let by_message =
                matches!(&outcome, Outcome::Stopped(Stop::Deadlock(waiting)) if waiting.iter().any(waits_for_message));
            return (CallEnd::LeftAlone { by_message }, Vec::new());
        }
        // A unit that was given its own process and ends it, ends itself.
        let is_own = strangers.iter().any(|stranger| matches!(stranger, Stranger::Caller));
        if is_own && matches!(&outcome, Outcome::Raised(raised) if matches!(raised.reach, Reach::Link(_))) {
            return (CallEnd::RaisedByInput, Vec::new());
        }
        let outcome = match outcome {
            Outcome::Stopped(Stop::Contract) => match broken {
                Some(broken) => return (CallEnd::Broken(broken), Vec::new()),
                None => Outcome::Stopped(Stop::Contract),
            },
            Outcome::Raised(raised) => return (self.conclude_raised(call, raised, wrapper), Vec::new()),
            Outcome::Value(value) if wrapper.is_some() => match value.as_tuple() {
                Some([made @ .., result]) => {
                    return (CallEnd::Plainly(Outcome::Value(result.clone())), made.to_vec());
                }
                Some([]) | None => return (CallEnd::NotMade, Vec::new()),
            },
            Outcome::Value(_) | Outcome::Stopped(_) => outcome,
        };
        (CallEnd::Plainly(outcome), Vec::new())
    }

    /// Returns whether a run ended only because a stranger did not answer or did not exist.
    fn is_left_alone(&self, call: &Call<'_>, outcome: &Outcome) -> bool {
        let language = self.machine.language();
        let is_client = call.client.is_some();
        // A process that only waits for ever was brought along by the client.
        let is_idle = |process: &ProcessName| {
            let name = process.initial;
            name.is_some_and(|name| (name.module.text(), name.function.text()) == ("timer", "sleep"))
        };
        let is_stranger = |process: &ProcessName| {
            let is_ours = |name: FunctionName| is_driver(name.module) || is_idle(process);
            process.initial.is_some_and(is_ours)
        };
        match outcome {
            Outcome::Raised(raised) => {
                let is_own = raised.process.is_main();
                let is_lost = match is_client {
                    true => language.is_lost(&raised.reason),
                    // A name that is not registered does not belong to a stranger.
                    false => {
                        let is_name = |callee: &&Term| matches!(callee, Term::Atom(_));
                        language.is_lost_call(&raised.reason)
                            && language.callee(&raised.reason).filter(is_name).is_none()
                    }
                };
                let is_left_waiting = language.is_left_waiting(&raised.reason);
                let is_unanswered = match is_client {
                    true => !is_own && is_left_waiting && self.is_mute(language.callee(&raised.reason)),
                    false => is_own && is_left_waiting,
                };
                raised.class == Class::Exit && (is_own && is_lost || is_unanswered)
            }
            Outcome::Stopped(Stop::Deadlock(waiting)) => {
                // Clients answer no messages.
                let waits_for_client = |process: &Waiting| process.waits_for.iter().any(ProcessName::is_main);
                if is_client && waiting.iter().any(waits_for_client) {
                    return true;
                }
                let mut main = waiting.iter().filter(|process| process.process.is_main());
                main.any(|process| {
                    let waits_for = &process.waits_for;
                    match is_client {
                        true => !waits_for.is_empty() && waits_for.iter().all(is_idle),
                        // It is not known from which process a plain receive expects a message: it may be a stranger.
                        false => waits_for.is_empty() || waits_for.iter().any(is_stranger),
                    }
                })
            }
            Outcome::Value(_) | Outcome::Stopped(_) => false,
        }
    }

    /// Returns whether a process is the client itself, or an idle one that it has brought along.
    fn is_mute(&self, process: Option<&Term>) -> bool {
        let Some(Term::Pid(process)) = process else { return false };
        let initial = self.machine.initial_call(*process);
        let is_idle = initial.is_some_and(|name| (name.module.text(), name.function.text()) == ("timer", "sleep"));
        *process == Term::OWN_PID || is_idle
    }

    fn conclude_raised(&self, call: &Call<'_>, mut raised: Raised, wrapper: Option<Atom>) -> CallEnd {
        // The driver raises exceptions of function inputs only. Those of the client's module are invariants that do not
        // hold.
        if raised.trace.first().is_some_and(|entry| entry.module.text() == driver::MODULE) {
            return CallEnd::RaisedByInput;
        }
        let language = self.machine.language();
        let is_refused = match language.refusal(&raised) {
            Some(Refusal::WrongArity { function, args }) => {
                if let Fun::Local { module, .. } = *function
                    && let Some(is_declared) = driver::is_input(module)
                {
                    return CallEnd::WrongArity { is_declared, args };
                }
                false
            }
            Some(Refusal::OutsideDomain) => true,
            None => false,
        };
        let is_called_by_input = matches!(&raised.trace[..], [_, caller, ..] if is_driver(caller.module));
        // The module that replaces functions known by samples is no part of the program either.
        let (sampler, _) = language.sampler();
        let is_ours = |module: Atom| is_driver(module) || module == sampler || Some(module) == wrapper;
        raised.trace.retain(|entry| !is_ours(entry.module));
        let is_unit = raised.trace.first().is_some_and(|entry| {
            call.function == FunctionName { module: entry.module, function: entry.function, arity: entry.arity }
        });
        let is_of_caller = raised.process.is_main() && matches!(raised.reach, Reach::Caller);
        if is_refused && (is_called_by_input || is_unit && is_of_caller && raised.class == Class::Error) {
            return CallEnd::Edge(raised);
        }
        CallEnd::Plainly(Outcome::Raised(raised))
    }
}

impl Drop for MachineExecutor<'_> {
    fn drop(&mut self) {
        self.machine.set_steps(self.steps);
        self.machine.set_alarm(None);
        self.machine.set_outside(None);
        self.machine.start_afresh();
    }
}

impl Executor for MachineExecutor<'_> {
    fn follow(&mut self, call: &Call<'_>, following: Following<'_>) -> Followed {
        let Following { declared, plan, labels, samples, before, wants_result } = following;
        let wrapper = self.wrapper(call);
        let mut play = plan.map(|plan| {
            let results = call.applied.unwrap_or_default().to_vec();
            let play = Play::new(Arc::clone(call.types), labels.clone(), plan, call.data.len() as u32, results);
            Box::new(play.with_client(call.client))
        });
        let outcome = self.run(call, wrapper, |context| {
            context.recorder.formulas = Formulas::with_types(Arc::clone(call.types));
            context.recorder.formulas.share(samples);
            context.recorder.events = before;
            context.recorder.wants_result = wants_result;
            for (index, of) in declared.iter().enumerate() {
                context.recorder.formulas.declare(Variable(index as u32), *of);
            }
            let mut words = Vec::with_capacity(call.data.len());
            for (index, (term, of)) in call.data.iter().zip(declared).enumerate() {
                let formula = context.recorder.formulas.variable(Variable(index as u32));
                words.push(match &mut play {
                    Some(play) => play.input(context, index as u32, *of, term, formula),
                    None => {
                        let word = copy_in(&mut context.heap, term);
                        context.heap.symbolic(word, formula)
                    }
                });
            }
            context.player = play.map(|play| play as Box<dyn Player>);
            words
        });
        let mut recorder = std::mem::take(self.machine.recorder_mut());
        let play = self.machine.take_player().and_then(|player| (player as Box<dyn Any>).downcast::<Play>().ok());
        let broken = play.as_ref().and_then(|play| play.broken.clone());
        let (mut ended, made) = self.conclude(call, outcome, wrapper, broken);
        // The combination of three processes in which only the last two are the same is never tried.
        if call.args.iter().map(|arg| arg.strangers().len()).sum::<usize>() >= MOST_STRANGERS {
            recorder.asks(Surrounding::Processes);
        }
        // Real processes may reply differently from the strangers that are tried.
        let replies = |stranger: &&Stranger<Variable>| matches!(stranger, Stranger::Replying(_));
        if matches!(ended, CallEnd::LeftAlone { by_message: true })
            && call.args.iter().flat_map(Input::strangers).any(|it| replies(&it))
        {
            recorder.asks(Surrounding::Processes);
        }
        if let Some(play) = &play {
            play.surroundings().iter().for_each(|asked| recorder.asks(*asked));
            if play.is_starting().is_some_and(|is_declared| is_refused_start(&ended, is_declared)) {
                ended = CallEnd::RaisedByInput;
            }
        }
        let whole = recorder.result;
        let formulas = &mut recorder.formulas;
        let mut part = |index: usize| whole.map(|whole| formulas.element(whole, index as u32));
        let count = made.len();
        let made = made.into_iter().enumerate().map(|(index, term)| (part(index), term)).collect();
        if wrapper.is_some() {
            recorder.result = part(count);
        }
        Followed { ended, recorder, made, played: play.map(|play| play as Box<dyn Played>) }
    }

    fn replay(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed {
        let wrapper = self.wrapper(call);
        let outcome = self.run(call, wrapper, |context| match written {
            Some(written) => {
                let results = call.applied.unwrap_or_default().to_vec();
                let replay = Replay::new(Arc::clone(call.types), Arc::clone(written), results, call.client);
                let words = call.data.iter().map(|term| replay.placed(context, term, Word::NIL)).collect();
                context.player = Some(Box::new(replay));
                words
            }
            None => call.data.iter().map(|term| copy_in(&mut context.heap, term)).collect(),
        });
        let steps = call.steps.saturating_sub(self.machine.steps_left());
        let recorder = self.machine.recorder_mut();
        let mut surroundings = std::mem::take(&mut recorder.surroundings);
        surroundings.extend(recorder.has_choice.then_some(Surrounding::Schedule));
        let marks = std::mem::take(&mut recorder.marks);
        let clauses = std::mem::take(&mut recorder.clauses);
        let turns = std::mem::take(&mut recorder.turns);
        let has_processes = recorder.has_processes;
        let replay = self.machine.take_player().and_then(|player| (player as Box<dyn Any>).downcast::<Replay>().ok());
        let is_starting = replay.as_ref().and_then(|replay| replay.is_starting());
        for asked in replay.iter().flat_map(|replay| &replay.surroundings) {
            if !surroundings.contains(asked) {
                surroundings.push(*asked);
            }
        }
        let (broken, missed, said, applied, returned) = match replay {
            Some(replay) => (replay.broken, replay.missed, replay.said, replay.applied, replay.returned),
            None => (None, false, Vec::new(), Vec::new(), Vec::new()),
        };
        let (mut ended, made) = match missed {
            true => (CallEnd::NotMade, Vec::new()),
            false => self.conclude(call, outcome, wrapper, broken),
        };
        if is_starting.is_some_and(|is_declared| is_refused_start(&ended, is_declared)) {
            ended = CallEnd::RaisedByInput;
        }
        Replayed {
            ended,
            made,
            steps,
            said,
            applied,
            returned,
            surroundings,
            marks,
            clauses,
            turns,
            has_processes,
            is_elsewhere: false,
        }
    }

    fn watch(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>, goal: Goal) -> (Watched, Recorder) {
        self.machine.watch(goal);
        let replayed = self.replay(call, written);
        let mut watched = self.machine.unwatch();
        for asked in replayed.surroundings {
            if !watched.surroundings.contains(&asked) {
                watched.surroundings.push(asked);
            }
        }
        (watched, std::mem::take(self.machine.recorder_mut()))
    }

    fn sample(&mut self, function: FunctionName, args: &[Term], steps: u64) -> Option<Sample> {
        // A closure of another run is none of this one.
        if args.iter().any(Term::has_closure) {
            return None;
        }
        self.machine.set_steps(steps);
        let outcome = match self.machine.run(function.module, function.function, args) {
            // The function may exist without being exported.
            Outcome::Raised(raised) if is_undefined(&raised, function) => {
                let (module, call) = self.machine.language().sampler();
                let name = [function.module, function.function].map(Term::Atom);
                self.machine.run(module, call, &[name.to_vec(), vec![Term::list(args.to_vec())]].concat())
            }
            outcome => outcome,
        };
        match outcome {
            Outcome::Value(value) => (!value.has_closure()).then_some(Sample::Returned(value)),
            Outcome::Raised(_) => Some(Sample::Raised),
            Outcome::Stopped(_) => None,
        }
    }

    fn place_of(&self, site: Site) -> Option<SitePlace> {
        self.machine.place_of(site)
    }

    fn question(&mut self, site: Site) -> Option<Question> {
        self.machine.question(site)
    }

    fn module_of(&self, place: Place) -> Option<Atom> {
        self.machine.module_of(place)
    }

    fn set_alarm(&mut self, alarm: Option<Alarm>) -> Option<Alarm> {
        self.machine.set_alarm(alarm)
    }

    fn memory(&self) -> u64 {
        self.machine.limits().memory as u64
    }
}

/// Combines the outcome of the main process with the failure of a process that the unit started.
fn outcome_of_all(main: Outcome, failure: Option<Raised>) -> Outcome {
    match (main, failure) {
        (Outcome::Value(_) | Outcome::Stopped(Stop::Deadlock(_)), Some(raised)) => Outcome::Raised(raised),
        // A supervisor that gives up ends the processes linked to it.
        (Outcome::Raised(Raised { reach: Reach::Link(_), .. }), Some(raised))
            if matches!(raised.reach, Reach::Supervisor(_)) =>
        {
            Outcome::Raised(raised)
        }
        (outcome, _) => outcome,
    }
}

/// Returns whether the exception says that this very function does not exist.
fn is_undefined(raised: &Raised, function: FunctionName) -> bool {
    let is_it = raised.trace.first().is_some_and(|entry| {
        (entry.module, entry.function, entry.arity) == (function.module, function.function, function.arity)
    });
    is_it && raised.reason == Term::Atom(names::UNDEF)
}

/// Combines the outcome of a client with the failure of another process: a server that failed is to blame, not the call
/// that noticed it.
fn outcome_of_client(main: Outcome, failure: Option<Raised>) -> Outcome {
    match (main, failure) {
        // The failure is reported without the link, because linking to the server was the client's choice.
        (Outcome::Raised(raised @ Raised { reach: Reach::Link(_), .. }), _) if !raised.process.is_main() => {
            Outcome::Raised(Raised { reach: Reach::Nobody, ..raised })
        }
        (main, None) => main,
        (Outcome::Value(_) | Outcome::Raised(_), Some(raised)) => Outcome::Raised(raised),
        (Outcome::Stopped(Stop::Deadlock(_)), Some(raised)) => Outcome::Raised(raised),
        (main @ Outcome::Stopped(_), Some(_)) => main,
    }
}

/// Returns whether a process refused to start: it ended on purpose while starting. If its start is not declared, any
/// exception counts as a refusal, because the client cannot know how to start it.
fn is_refused_start(ended: &CallEnd, is_declared: bool) -> bool {
    matches!(ended, CallEnd::Plainly(Outcome::Raised(raised)) if raised.class == Class::Exit || !is_declared)
}

fn is_driver(module: Atom) -> bool {
    module.text() == driver::MODULE || module.text() == driver::CLIENT_MODULE
}

/// Returns `{Module, Function, Args}`.
fn call_of(setup: &Setup) -> Term {
    let args = Term::list(setup.args.iter().copied().map(Term::Atom).collect::<Vec<_>>());
    Term::tuple(vec![Term::Atom(setup.module), Term::Atom(setup.function), args])
}
