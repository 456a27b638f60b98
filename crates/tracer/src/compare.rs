//! Compares a run of our machine with the run of the same call on the real runtime.
//!
//! Both run the same Core with the same events. So if a run depends on nothing but its inputs, each of its processes
//! chooses the same clauses in the same order on both, and ends alike; a defect of ours begins at the first event that
//! differs. The runtime is forced to keep the order between processes if their code is conducted. Otherwise the runtime
//! schedules as it likes, and differences may be due to that.

use crate::losses::{Losses, Lost};
use frontend::{Code, Order, Outcome as Theirs, Traced};
use path::{Class, Clauses, Life, Outcome, Reach, Stop, Surrounding, Turn};
use std::collections::BTreeMap;
use term::Term;

/// The run of our machine.
pub struct Ours<'r> {
    pub end: End<'r>,
    pub clauses: &'r Clauses,
    /// Whether processes were started, which could have taken turns in another order.
    pub has_processes: bool,
    /// The shortest time in milliseconds that something waited for, if anything did.
    pub shortest_wait: Option<u64>,
    pub surroundings: &'r [Surrounding],
}

/// How the main process ended on our machine, as far as the runtime would report the same.
#[derive(Clone, Copy, Debug)]
pub enum End<'r> {
    Outcome(&'r Outcome),
    /// Another process failed; nothing is known about the main process.
    Unknown,
    /// An input ended the run.
    ByInput,
    /// A client did all its steps. With `may_raise`, the last one did not return and may have been refused because of
    /// the client's own mistake.
    Scenario {
        may_raise: bool,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Compared {
    Same,
    Differs(Difference),
    /// They differ, or one of them has no end to compare, for this reason.
    Excused(Excuse),
}

/// The place of the first difference of two runs, and how they differ there. Processes are named as in a [`Turn`].
#[derive(Clone, Debug, PartialEq)]
pub enum Difference {
    /// The first event of a process that differs: its index, and the event numbers of both runs. `None` if a run has no
    /// more events.
    Event { process: Vec<u32>, index: usize, ours: Option<u64>, theirs: Option<u64> },
    /// A process that only one of them has started.
    Birth { process: Vec<u32>, is_ours: bool },
    /// A process that chose the same clauses but ended differently. `None` if it has not ended.
    End { process: Vec<u32>, ours: Option<Term>, theirs: Option<Term> },
    /// The operation, counted from 1, that our machine did and the runtime did not, and those that the runtime's
    /// processes wanted to do instead.
    Order { index: usize, ours: Turn, theirs: Vec<Turn> },
    /// The same clauses, but a different end of the call.
    Outcome,
    /// Something that only one of the executors lost.
    Loss { lost: Lost, is_ours: bool },
}

/// A reason why two runs need not agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Excuse {
    /// The order in which processes take their turns.
    Schedule,
    /// Something waits for a short time, which may pass on the runtime while other processes work.
    Time,
    /// The run depends on the time, the environment or other surroundings that differ between systems.
    Surroundings,
    /// Only the runtime has the results of functions outside of the program.
    Outside,
    /// Our run was stopped: at a limit, or at a function that our machine does not run.
    StoppedHere,
    /// The runtime stopped its run: at a limit, or at a function that it may not call.
    StoppedThere,
    /// The run has a part that exists for our machine only: a scenario of clients, or results that are applied.
    MachineOnly,
    /// The call was not made on the runtime.
    NotAsked,
}

impl Excuse {
    /// Returns the reason in words, to follow "cannot be compared: ".
    pub fn words(self) -> &'static str {
        match self {
            Excuse::Schedule => "processes took turns in another order",
            Excuse::Time => "something waits for less than 2 s",
            Excuse::Surroundings => "it depends on the time, the environment or something else outside",
            Excuse::Outside => "only one had results from outside",
            Excuse::StoppedHere => "stopped on the machine, at a limit or at a function that it does not run",
            Excuse::StoppedThere => "stopped on the runtime, at a limit or at a function that is denied",
            Excuse::MachineOnly => "has inputs that only the machine can play",
            Excuse::NotAsked => "the runtime could not be asked",
        }
    }
}

/// The time in milliseconds below which a wait may end too late on a busy computer.
const SHORT_WAIT: u64 = 2_000;

/// Compares the runs of the same call by two executors.
pub fn compare(code: &dyn Code, ours: &Ours<'_>, theirs: &Traced) -> Compared {
    let is_ended = matches!(ours.end, End::Outcome(Outcome::Stopped(_)) | End::ByInput);
    let cuts = Cuts { here: is_ended || ours.clauses.is_cut(), there: is_cut(&theirs.outcome) || !theirs.is_whole };
    let excuse = excuse(ours, theirs);
    let excused = |difference| excuse.map_or(Compared::Differs(difference), Compared::Excused);
    let main = first_difference(&[], ours.clauses.chosen(), &theirs.events, cuts);
    // An exception of the main process ends our run, and with it the other processes.
    let is_raised = matches!(ours.end, End::Outcome(Outcome::Raised(_)) | End::Unknown);
    let cuts_of_others = Cuts { here: cuts.here || is_raised, ..cuts };
    let others = || difference_of_others(code, &ours.clauses.others(), &theirs.others, cuts_of_others);
    if let Some(difference) = main.or_else(others) {
        return excused(difference);
    }
    let compared = match (ours.end, &theirs.outcome) {
        (End::Outcome(Outcome::Stopped(stop)), _) if is_limit(stop) => Compared::Excused(Excuse::StoppedHere),
        // A deadlock on our machine is an endless wait on the runtime.
        (End::Outcome(Outcome::Stopped(Stop::Deadlock(_))), Theirs::Timeout { .. }) if theirs.is_waiting => {
            Compared::Same
        }
        (_, theirs) if is_cut(theirs) => Compared::Excused(Excuse::StoppedThere),
        (End::Unknown | End::ByInput, _) | (End::Scenario { .. }, Theirs::Value { .. }) => Compared::Same,
        (End::Scenario { may_raise: true }, Theirs::Raised { .. } | Theirs::Killed { .. }) => Compared::Same,
        (End::Scenario { .. }, _) => excused(Difference::Outcome),
        (End::Outcome(ours), theirs) if is_same(code, ours, theirs) => Compared::Same,
        (End::Outcome(_), _) => excused(Difference::Outcome),
    };
    match difference_of_order(theirs, cuts_of_others) {
        Some(difference) if compared == Compared::Same => excused(difference),
        Some(_) | None => compared,
    }
}

/// Compares the losses of two runs that are otherwise the same.
pub fn compare_losses(ours: &Losses, theirs: &Losses, has_outside: bool) -> Compared {
    match ours.difference(theirs) {
        None => Compared::Same,
        Some(_) if has_outside => Compared::Excused(Excuse::Outside),
        Some((lost, is_ours)) => Compared::Differs(Difference::Loss { lost, is_ours }),
    }
}

fn excuse(ours: &Ours<'_>, theirs: &Traced) -> Option<Excuse> {
    if ours.surroundings.iter().any(|surrounding| *surrounding != Surrounding::Schedule) {
        return Some(Excuse::Surroundings);
    }
    match &theirs.order {
        _ if !ours.has_processes && theirs.others.is_empty() => None,
        Some(Order::Followed | Order::Left { .. }) => {
            ours.shortest_wait.is_some_and(|wait| wait < SHORT_WAIT).then_some(Excuse::Time)
        }
        Some(Order::Lost) | None => Some(Excuse::Schedule),
    }
}

/// Which of the runs were stopped before their end.
#[derive(Clone, Copy)]
struct Cuts {
    here: bool,
    there: bool,
}

/// Returns the first difference. If a run was stopped, its events only have to be the beginning of the other's.
fn first_difference(process: &[u32], ours: &[u64], theirs: &[u64], cuts: Cuts) -> Option<Difference> {
    let index = ours.iter().zip(theirs).position(|(ours, theirs)| ours != theirs);
    let index = index.unwrap_or(ours.len().min(theirs.len()));
    let (ours, theirs) = (ours.get(index).copied(), theirs.get(index).copied());
    let is_explained = match (ours, theirs) {
        (None, None) => true,
        (None, Some(_)) => cuts.here,
        (Some(_), None) => cuts.there,
        (Some(_), Some(_)) => false,
    };
    (!is_explained).then(|| Difference::Event { process: process.to_vec(), index, ours, theirs })
}

/// Returns the first difference between processes other than the main one, in the order of their names.
fn difference_of_others(code: &dyn Code, ours: &[Life], theirs: &[Life], cuts: Cuts) -> Option<Difference> {
    let mut pairs: BTreeMap<&[u32], (Option<&Life>, Option<&Life>)> = BTreeMap::new();
    for life in ours {
        pairs.entry(&life.process).or_default().0 = Some(life);
    }
    for life in theirs {
        pairs.entry(&life.process).or_default().1 = Some(life);
    }
    pairs.into_iter().find_map(|(process, pair)| {
        let (ours, theirs) = match pair {
            (Some(ours), Some(theirs)) => (ours, theirs),
            (None, _) if cuts.here => return None,
            (_, None) if cuts.there => return None,
            (ours, _) => return Some(Difference::Birth { process: process.to_vec(), is_ours: ours.is_some() }),
        };
        first_difference(process, &ours.events, &theirs.events, cuts).or_else(|| {
            let is_same = match (&ours.end, &theirs.end) {
                (Some(ours), Some(theirs)) => code.are_alike(ours, theirs),
                (None, None) => true,
                (None, Some(_)) => cuts.here,
                (Some(_), None) => cuts.there,
            };
            let (ours, theirs) = (ours.end.clone(), theirs.end.clone());
            (!is_same).then(|| Difference::End { process: process.to_vec(), ours, theirs })
        })
    })
}

/// Returns a difference if the runtime wanted to do another operation than our machine did.
fn difference_of_order(theirs: &Traced, cuts: Cuts) -> Option<Difference> {
    match &theirs.order {
        Some(Order::Left { index, expected, wanted }) if !cuts.here && !cuts.there => {
            Some(Difference::Order { index: *index, ours: expected.clone(), theirs: wanted.clone() })
        }
        Some(Order::Left { .. } | Order::Followed | Order::Lost) | None => None,
    }
}

/// Returns whether the runtime ended the run.
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

/// Returns whether our machine ended the run for reasons of its own.
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
        // The runtime waits for ever in this case.
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
        // An exit signal of a process that was linked to the main process.
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
        let event = |index, ours, theirs| Some(Difference::Event { process: vec![2], index, ours, theirs });
        let compare =
            |ours: &[u64], theirs: &[u64], here, there| first_difference(&[2], ours, theirs, Cuts { here, there });
        assert_eq!(compare(&[1, 2], &[1, 2], false, false), None);
        assert_eq!(compare(&[1, 2], &[1, 3], true, true), event(1, Some(2), Some(3)));
        assert_eq!(compare(&[1], &[1, 3], false, true), event(1, None, Some(3)));
        assert_eq!(compare(&[1], &[1, 3], true, false), None);
        assert_eq!(compare(&[1, 3], &[1], false, true), None);
    }
}
