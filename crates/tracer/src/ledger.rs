//! The results of comparing runs.

use crate::compare::{Compared, Difference, Excuse};
use crate::events::Events;
use crate::losses::Lost;
use report::Printer;
use std::collections::BTreeMap;
use term::Term;

/// The runs of one function on both executors.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    pub same: u64,
    pub excused: BTreeMap<Excuse, u64>,
    pub differing: u64,
    /// The first run that differs.
    pub first: Option<Differing>,
    /// The number of runs that took from the runtime's log what our machine cannot do.
    pub rebuilt: u64,
}

/// A run that differs between the executors, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    pub call: String,
    pub how: String,
}

impl Ledger {
    pub(crate) fn note(&mut self, compared: &Compared, differing: impl FnOnce(&Difference) -> Differing) {
        match compared {
            Compared::Same => self.same += 1,
            Compared::Excused(excuse) => *self.excused.entry(*excuse).or_default() += 1,
            Compared::Differs(difference) => {
                self.differing += 1;
                self.first.get_or_insert_with(|| differing(difference));
            }
        }
    }
}

/// The context that is needed to put a difference into words.
pub struct Words<'w> {
    pub events: &'w Events,
    /// How the runs ended, in words.
    pub ours: &'w str,
    pub theirs: &'w str,
    pub printer: &'w dyn Printer,
    pub shown: &'w dyn Fn(&Term) -> String,
}

/// Returns in words how two runs differ.
pub fn in_words(difference: &Difference, words: &Words<'_>) -> String {
    let Words { events, ours, theirs, printer, shown } = words;
    let place = |event: Option<u64>| match event {
        Some(event) => events.place(event).map_or_else(|| format!("event {event}"), ToString::to_string),
        None => "nothing more".to_string(),
    };
    let end = |end: &Option<Term>| match end {
        Some(reason) => format!("has ended with {}", shown(reason)),
        None => "is alive".to_string(),
    };
    match difference {
        Difference::Outcome => format!("the machine ends with {ours}, the BEAM with {theirs}"),
        Difference::Event { process, index, ours, theirs } => {
            let whose = if process.is_empty() { String::new() } else { format!(" of process {}", name(process)) };
            format!("event {}{whose} is {} on the machine, and {} on the BEAM", index + 1, place(*ours), place(*theirs))
        }
        Difference::Birth { process, is_ours } => {
            let who = if *is_ours { "the machine" } else { "the BEAM" };
            format!("only {who} has started the process {}", name(process))
        }
        Difference::End { process, ours, theirs } => {
            format!("the process {} {} on the machine, and {} on the BEAM", name(process), end(ours), end(theirs))
        }
        Difference::Loss { lost, is_ours } => {
            let who = if *is_ours { "the machine" } else { "the BEAM" };
            match lost {
                Lost::Concretised(why) => format!("only {who} makes concrete: {}", report::concretised(*printer, *why)),
                Lost::Surrounding(what) => format!("only {who} depends on {}", report::surroundings(*what)),
                Lost::Decision(index) => format!("decision {} is another one on {who}", index + 1),
            }
        }
        Difference::Order { index, ours, theirs } => {
            let wanted: Vec<String> = theirs.iter().map(ToString::to_string).collect();
            let wanted = if wanted.is_empty() { "nothing".to_string() } else { wanted.join(", ") };
            format!("operation {index} is \"{ours}\" on the machine, and the BEAM wants to do {wanted}")
        }
    }
}

/// Returns the name of a process, such as `main.2.1`.
fn name(process: &[u32]) -> String {
    process.iter().fold("main".to_string(), |name, number| format!("{name}.{number}"))
}
