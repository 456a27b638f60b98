//! The order in which processes do their visible operations.

use rustc_hash::FxHashMap;
use std::fmt;
use std::str::FromStr;
use term::Atom;

/// The maximum number of operations that are recorded of one run.
const MOST_OPERATIONS: usize = 1_000_000;

/// An operation of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The numbers that identify the process: none for the main process; `[2, 1]` for the first process that was
    /// started by the second process that the main process has started.
    pub process: Vec<u32>,
    /// The function that does the operation, or `receive` for a receive with a timeout.
    pub operation: Atom,
}

/// Formats a turn as in `main.2.1 ets:insert/2`.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("main")?;
        for number in &self.process {
            write!(f, ".{number}")?;
        }
        write!(f, " {}", self.operation)
    }
}

impl FromStr for Turn {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Turn, &'static str> {
        let wrong = "write a process and what it does: main.2.1 ets:insert/2";
        let (process, operation) = text.trim().split_once(' ').ok_or(wrong)?;
        let mut names = process.split('.');
        if names.next() != Some("main") {
            return Err(wrong);
        }
        let process = names.map(|name| name.parse().map_err(|_| wrong)).collect::<Result<Vec<u32>, _>>()?;
        Ok(Turn { process, operation: Atom::new(operation.trim()) })
    }
}

/// The visible operations and starts of processes that conducted code reported in a run. Processes have the numbers of
/// their pids.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    operations: Vec<(u64, Atom)>,
    /// Parents and children, in the order of the starts.
    births: Vec<(u64, u64)>,
    /// The shortest time in milliseconds after which an operation causes something by itself.
    pub shortest_wait: Option<u64>,
}

impl Turns {
    pub fn operation(&mut self, process: u64, operation: Atom) {
        if self.operations.len() < MOST_OPERATIONS {
            self.operations.push((process, operation));
        }
    }

    /// Records an operation that causes something after a time.
    pub fn wait(&mut self, milliseconds: u64) {
        self.shortest_wait = Some(self.shortest_wait.map_or(milliseconds, |shortest| shortest.min(milliseconds)));
    }

    pub fn birth(&mut self, parent: u64, child: u64) {
        self.births.push((parent, child));
    }

    /// Returns the schedule of the run. Operations of processes that were started by code that is not conducted are
    /// left out.
    pub fn schedule(&self, main: u64) -> Vec<Turn> {
        let mut paths: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut children: FxHashMap<u64, u32> = FxHashMap::default();
        paths.insert(main, Vec::new());
        for (parent, child) in &self.births {
            let Some(path) = paths.get(parent) else { continue };
            let number = children.entry(*parent).or_default();
            *number += 1;
            let path = path.iter().copied().chain([*number]).collect();
            paths.insert(*child, path);
        }
        let turn = |(process, operation): &(u64, Atom)| {
            Some(Turn { process: paths.get(process)?.clone(), operation: *operation })
        };
        self.operations.iter().filter_map(turn).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Turn, Turns};
    use term::Atom;

    #[test]
    fn a_turn_is_read_as_it_is_printed() {
        for text in ["main ets:new/2", "main.2.1 receive", "main.10 erlang:send/2"] {
            assert_eq!(text.parse::<Turn>().map(|turn| turn.to_string()).as_deref(), Ok(text));
        }
        for wrong in ["", "main", "other ets:new/2", "main.x ets:new/2", "main. ets:new/2"] {
            assert!(wrong.parse::<Turn>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn processes_are_named_by_who_started_them() {
        let mut turns = Turns::default();
        turns.birth(1, 7);
        turns.birth(1, 9);
        turns.operation(8, Atom::new("a"));
        turns.birth(9, 8);
        turns.operation(1, Atom::new("b"));
        turns.operation(99, Atom::new("c"));
        let shown: Vec<String> = turns.schedule(1).iter().map(Turn::to_string).collect();
        assert_eq!(shown, ["main.2.1 a", "main b"]);
    }
}
