//! Hands long runs of which only the end matters over to the real runtime, whose JIT is faster than our machine.
//!
//! Every such run begins on our machine. If it has not ended after [`LONG`] steps, it begins again on the runtime, with
//! the code unchanged and the sandbox and the limits of all evaluations. Its end is taken only if it means the same
//! here: a value without identities and functions, or an exception of the calling process. Our machine runs everything
//! else to the end. This includes runs that depend on more than their inputs: those that start processes or ask for the
//! time. Whether a run does is known from the last complete run on our machine.

use frontend::{Call as PlainCall, Code, Limits, Outcome as Theirs};
use interaction::MachineExecutor;
use path::{Call, CallEnd, Class, Clauses, Executor, Outcome, Raised, Replayed, Stop, Witness, Wrapper, has_functions};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::Duration;
use term::{Atom, FunctionName, Term};

/// The number of steps from which on the runtime is faster, including the cost of the request: see the benchmarks of
/// executors.
pub const LONG: u64 = 1 << 16;

/// The limits of a run on the runtime. One that takes longer may have no end. `make bench` prints how long runs of our
/// machine take.
const LIMITS: Limits = Limits { time: Duration::from_secs(1), heap_words: 32 << 20 };

/// Our machine, with the real runtime for long runs.
pub struct RelayingExecutor<'m> {
    machine: MachineExecutor<'m>,
    code: Arc<dyn Code>,
    /// Whether the last complete run depended on nothing but its inputs.
    is_plain: bool,
    /// Whether the runtime is used at all: no longer after a run that did not end there.
    is_on: bool,
    loaded: FxHashSet<Atom>,
    /// The number of runs whose end comes from the runtime.
    handed_over: &'m mut u64,
}

impl<'m> RelayingExecutor<'m> {
    /// Makes an executor. `handed_over` counts the runs whose end comes from the runtime.
    pub fn new(machine: MachineExecutor<'m>, code: Arc<dyn Code>, handed_over: &'m mut u64) -> RelayingExecutor<'m> {
        RelayingExecutor { machine, code, is_plain: false, is_on: true, loaded: FxHashSet::default(), handed_over }
    }

    /// Returns the call as plain data if the runtime can make it.
    fn asked(&self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Option<PlainCall> {
        if !self.is_on || !self.is_plain || call.steps <= LONG || self.machine.has_setups() {
            return None;
        }
        if written.is_some() || call.client.is_some() || call.applied.is_some() {
            return None;
        }
        let data = |arg: &path::Input<formula::Variable>| call.data.get(arg.as_data()?.0 as usize).cloned();
        let args: Vec<Term> = call.args.iter().map(data).collect::<Option<_>>()?;
        let FunctionName { module, function, .. } = call.function;
        args.iter().all(is_plain_data).then_some(PlainCall { module, function, args })
    }

    /// Returns how a call ends on the runtime, if that means the same here.
    fn end_there(&mut self, call: &Call<'_>, asked: &PlainCall) -> Option<CallEnd> {
        let modules: Vec<Atom> = self.machine.used_modules().filter(|module| !self.loaded.contains(module)).collect();
        for module in modules.into_iter().chain([asked.module]) {
            if self.loaded.insert(module) && self.code.load_into_runtime(module).is_err() {
                self.is_on = false;
                return None;
            }
        }
        let Ok((outcome, trace)) = self.code.evaluate_call(asked, LIMITS) else {
            self.is_on = false;
            return None;
        };
        match outcome {
            Theirs::Value { term, .. } if is_plain_data(&term) => Some(CallEnd::Plainly(Outcome::Value(term))),
            Theirs::Raised { class, reason, .. } if is_plain_data(&reason) => {
                let raised = Raised::by_main(Class::of(class)?, reason, trace);
                Some(self.machine.meaning_of(call, raised))
            }
            Theirs::Value { .. } | Theirs::Raised { .. } | Theirs::Killed { .. } => None,
            Theirs::Timeout { .. }
            | Theirs::HeapExceeded
            | Theirs::Unreadable { .. }
            | Theirs::Stopped { .. }
            | Theirs::RuntimeDied { .. } => {
                self.is_on = false;
                None
            }
        }
    }
}

fn is_plain_data(term: &Term) -> bool {
    !path::functions::has_identities(term) && !has_functions(term)
}

impl Wrapper for RelayingExecutor<'_> {
    fn inner(&self) -> &dyn Executor {
        &self.machine
    }

    fn inner_mut(&mut self) -> &mut dyn Executor {
        &mut self.machine
    }

    fn replay(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed {
        let replayed = self.machine.replay(call, written);
        self.is_plain = replayed.surroundings.is_empty() && !replayed.has_processes;
        replayed
    }

    fn end_of(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed {
        let Some(asked) = self.asked(call, written) else { return self.machine.replay(call, written) };
        let short = self.machine.replay(&Call { steps: LONG, ..*call }, written);
        let is_cut = matches!(short.ended, CallEnd::Plainly(Outcome::Stopped(Stop::StepLimit)));
        if !is_cut || !short.surroundings.is_empty() || short.has_processes {
            return if is_cut { self.machine.replay(call, written) } else { short };
        }
        match self.end_there(call, &asked) {
            Some(ended) => {
                *self.handed_over += 1;
                Replayed { ended, clauses: Clauses::default(), is_elsewhere: true, ..short }
            }
            None => self.machine.replay(call, written),
        }
    }
}
