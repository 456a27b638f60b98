//! The clauses that the processes of a run chose, in code with events.

use rustc_hash::FxHashMap;
use term::Term;

/// The behaviour of the processes of a run, as far as both executors report it: the clauses that they chose, by the
/// numbers of their events, who started them, and how they ended. Processes have the numbers of their pids.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    /// The choices of the main process.
    chosen: Vec<u64>,
    /// All other processes, in the order in which they were started.
    others: Vec<Other>,
    /// The index of each process in `others`.
    indices: FxHashMap<u64, usize>,
    /// The number of processes that each process has started.
    children: FxHashMap<u64, u32>,
    kept: usize,
    is_cut: bool,
}

#[derive(Clone, Debug)]
struct Other {
    /// `None` if the process, or one of its ancestors, is one that the runtime starts by itself.
    path: Option<Vec<u32>>,
    events: Vec<u64>,
    end: Option<Term>,
}

/// A process other than the main one: from its birth to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Life {
    /// The numbers that identify the process, as in a [`Turn`](crate::Turn).
    pub process: Vec<u32>,
    /// The numbers of the clauses that it chose, in order.
    pub events: Vec<u64>,
    /// The reason of its end. `None` if it was still alive when the main process had ended and all others waited.
    pub end: Option<Term>,
}

impl Clauses {
    /// The maximum number of clauses that are kept of a run.
    pub const MOST: usize = 1 << 20;
    /// The maximum number of processes that are recorded.
    const MOST_PROCESSES: usize = 100_000;

    /// Records that the main process has chosen a clause.
    pub fn add(&mut self, event: u64) {
        if self.has_room() {
            self.chosen.push(event);
        }
    }

    /// Records that another process has chosen a clause.
    pub fn add_of(&mut self, process: u64, event: u64) {
        if let Some(index) = self.indices.get(&process).copied()
            && self.others[index].path.is_some()
            && self.has_room()
        {
            self.others[index].events.push(event);
        }
    }

    fn has_room(&mut self) -> bool {
        self.is_cut |= self.kept == Clauses::MOST;
        self.kept += usize::from(!self.is_cut);
        !self.is_cut
    }

    /// Records the start of a process. `parent` is `None` for the main process. `is_own` says whether the runtime
    /// starts the process by itself.
    pub fn birth(&mut self, parent: Option<u64>, child: u64, is_own: bool) {
        if self.others.len() == Clauses::MOST_PROCESSES {
            self.is_cut = true;
            return;
        }
        let above = match parent {
            None => Some(Vec::new()),
            Some(parent) => self.indices.get(&parent).and_then(|index| self.others[*index].path.clone()),
        };
        let path = above.filter(|_| !is_own).map(|mut path| {
            let number = self.children.entry(parent.unwrap_or(0)).or_default();
            *number += 1;
            path.push(*number);
            path
        });
        self.indices.insert(child, self.others.len());
        self.others.push(Other { path, events: Vec::new(), end: None });
    }

    pub fn end(&mut self, process: u64, reason: Term) {
        if let Some(index) = self.indices.get(&process) {
            self.others[*index].end = Some(reason);
        }
    }

    /// Returns the clauses that the main process chose.
    pub fn chosen(&self) -> &[u64] {
        &self.chosen
    }

    /// Returns all other processes, sorted by their paths.
    pub fn others(&self) -> Vec<Life> {
        let known = self.others.iter().filter_map(|Other { path, events, end }| {
            Some(Life { process: path.clone()?, events: events.clone(), end: end.clone() })
        });
        let mut lives: Vec<Life> = known.collect();
        lives.sort_by(|one, other| one.process.cmp(&other.process));
        lives
    }

    /// Returns whether the run chose more clauses than are kept.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

#[cfg(test)]
mod tests {
    use super::{Clauses, Life};
    use term::Term;

    #[test]
    fn processes_are_named_by_who_started_them() {
        let mut clauses = Clauses::default();
        clauses.birth(None, 10, false);
        clauses.birth(None, 20, true);
        clauses.birth(Some(20), 21, false);
        clauses.birth(None, 30, false);
        clauses.birth(Some(30), 31, false);
        for (process, event) in [(31, 1), (10, 2), (21, 3), (31, 4)] {
            clauses.add_of(process, event);
        }
        clauses.add(5);
        clauses.end(10, Term::atom("normal"));
        let life = |process: &[u32], events: &[u64], end| Life { process: process.into(), events: events.into(), end };
        let normal = Some(Term::atom("normal"));
        assert_eq!(clauses.others(), [life(&[1], &[2], normal), life(&[2], &[], None), life(&[2, 1], &[1, 4], None)]);
        assert_eq!(clauses.chosen(), [5]);
    }
}
