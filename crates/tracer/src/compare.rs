//! Comparing a run of our machine with the run of the same call on the real runtime.
//!
//! Both ran the same Core with the same events. So wherever a run depends on nothing but its inputs, both choose the same
//! clauses in the same order and end alike; the first event that differs is where a defect of ours begins.

use frontend::{Code, Outcome as Theirs, Traced};
use path::{Class, Clauses, Outcome, Reach, Stop, Surrounding};

/// What our machine did.
pub struct Ours<'r> {
    pub end: End<'r>,
    pub clauses: &'r Clauses,
    /// Whether processes were started, which could have taken turns in another order.
    pub has_processes: bool,
    pub surroundings: &'r [Surrounding],
}

/// How the main process ended on our machine, as far as the runtime would say the same.
#[derive(Clone, Copy, Debug)]
pub enum End<'r> {
    Outcome(&'r Outcome),
    /// Another process failed, which is all that is told.
    Unknown,
    /// An input ended the run.
    ByInput,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    Same,
    Differs(Difference),
    /// They differ, or one of them has no end to compare, for this reason.
    Excused(Excuse),
}

/// Where and how two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The first event that differs: its index, and the numbers of both. `None` where there are no more.
    Event { index: usize, ours: Option<u64>, theirs: Option<u64> },
    /// The same clauses, but another end.
    Outcome,
}

/// Why two runs need not agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Excuse {
    /// The order in which processes take their turns.
    Schedule,
    /// The time, the environment and whatever else differs between systems.
    Surroundings,
    /// Our run was stopped: at a limit, or at a function that our machine does not run.
    StoppedHere,
    /// The runtime stopped its run: at a limit, or at a function that it may not call.
    StoppedThere,
    /// The run has a part that is made for our machine only: a scenario of clients, or results that are applied.
    MachineOnly,
    /// The runtime could not be asked.
    NotAsked,
}

/// Compares what two executors did with the same call.
pub fn compare(code: &dyn Code, ours: &Ours<'_>, theirs: &Traced) -> Compared {
    let is_ended = matches!(ours.end, End::Outcome(Outcome::Stopped(_)) | End::ByInput);
    let is_cut_here = is_ended || ours.clauses.is_cut();
    let is_cut_there = is_cut(&theirs.outcome) || !theirs.is_whole;
    let excuse = if ours.has_processes {
        Some(Excuse::Schedule)
    } else if !ours.surroundings.is_empty() {
        Some(Excuse::Surroundings)
    } else {
        None
    };
    let excused = |difference| excuse.map_or(Compared::Differs(difference), Compared::Excused);
    if let Some(difference) = first_difference(ours.clauses.chosen(), &theirs.events, is_cut_here, is_cut_there) {
        return excused(difference);
    }
    match (ours.end, &theirs.outcome) {
        (End::Outcome(Outcome::Stopped(stop)), _) if is_limit(stop) => Compared::Excused(Excuse::StoppedHere),
        (_, theirs) if is_cut(theirs) => Compared::Excused(Excuse::StoppedThere),
        (End::Unknown | End::ByInput, _) => Compared::Same,
        (End::Outcome(ours), theirs) if is_same(code, ours, theirs) => Compared::Same,
        (End::Outcome(_), _) => excused(Difference::Outcome),
    }
}

/// Of two runs that were stopped somewhere, the shorter one must be the beginning of the other.
fn first_difference(ours: &[u64], theirs: &[u64], is_cut_here: bool, is_cut_there: bool) -> Option<Difference> {
    let index = ours.iter().zip(theirs).position(|(ours, theirs)| ours != theirs);
    let index = index.unwrap_or(ours.len().min(theirs.len()));
    let (ours, theirs) = (ours.get(index).copied(), theirs.get(index).copied());
    let is_explained = match (ours, theirs) {
        (None, None) => true,
        (None, Some(_)) => is_cut_here,
        (Some(_), None) => is_cut_there,
        (Some(_), Some(_)) => false,
    };
    (!is_explained).then_some(Difference::Event { index, ours, theirs })
}

/// Whether the runtime ended the run.
pub(crate) fn is_cut(outcome: &Theirs) -> bool {
    match outcome {
        Theirs::Timeout { .. }
        | Theirs::HeapExceeded
        | Theirs::Stopped { .. }
        | Theirs::RuntimeDied { .. }
        | Theirs::Unreadable { .. } => true,
        Theirs::Value { .. } | Theirs::Raised { .. } | Theirs::Killed { .. } => false,
    }
}

/// Whether our machine ended the run for reasons of its own.
pub(crate) fn is_limit(stop: &Stop) -> bool {
    match stop {
        Stop::StepLimit
        | Stop::Interrupted
        | Stop::MemoryLimit
        | Stop::AtomLimit
        | Stop::ProcessLimit
        | Stop::TraceLimit
        | Stop::Unsupported(_)
        | Stop::EffectDenied(_)
        | Stop::NotReturned(_)
        | Stop::ResultTooLarge
        | Stop::LoadFailed(_)
        | Stop::TooSlow(_)
        | Stop::Contract
        | Stop::Halted(_) => true,
        // The runtime waits for ever then.
        Stop::Deadlock(_) => false,
        Stop::Fault(_) => false,
    }
}

pub(crate) fn is_same(code: &dyn Code, ours: &Outcome, theirs: &Theirs) -> bool {
    match (ours, theirs) {
        (Outcome::Value(ours), Theirs::Value { term, .. }) => code.are_alike(ours, term),
        (Outcome::Raised(ours), Theirs::Raised { class, reason, .. }) => {
            ours.class.atom() == *class && code.are_alike(&ours.reason, reason)
        }
        // An exit signal of somebody who was linked to the main process.
        (Outcome::Raised(ours), Theirs::Killed { reason }) => match &ours.reach {
            Reach::Link(signal) => code.are_alike(signal, reason),
            Reach::Caller | Reach::Nobody | Reach::Supervisor(_) => {
                ours.class == Class::Exit && code.are_alike(&ours.reason, reason)
            }
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_of_two_runs_must_be_the_beginning_of_the_other() {
        let event = |index, ours, theirs| Some(Difference::Event { index, ours, theirs });
        assert_eq!(first_difference(&[1, 2], &[1, 2], false, false), None);
        assert_eq!(first_difference(&[1, 2], &[1, 3], true, true), event(1, Some(2), Some(3)));
        assert_eq!(first_difference(&[1], &[1, 3], false, true), event(1, None, Some(3)));
        assert_eq!(first_difference(&[1], &[1, 3], true, false), None);
        assert_eq!(first_difference(&[1, 3], &[1], false, true), None);
    }
}
