//! Names of what function inputs are made of: the same in every run that took the same decisions so far.

use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// What something is within what is around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// An input of the unit.
    Input(u32),
    /// A part of a piece of data, counted in the order in which it is walked through.
    Inside(u32),
    /// An entry of a table, in the order in which they came to be.
    Entry(u32),
    /// What a node answers.
    Answer,
    /// What it raises.
    Reason,
    /// An argument of its probe of a function in scope.
    Argument {
        probed: u32,
        index: u32,
    },
    /// The table of what that probe returns, or raises.
    Returned {
        probed: u32,
    },
    Raised {
        probed: u32,
    },
    /// The application of a result of the unit that is a function: the how-manieth in a row.
    Application(u32),
}

/// Every label that was ever met; they outlive runs.
#[derive(Default)]
pub struct Labels {
    numbers: FxHashMap<(Label, Part), Label>,
}

impl Labels {
    pub const ROOT: Label = Label(0);

    pub fn of(&mut self, whole: Label, part: Part) -> Label {
        let next = Label(self.numbers.len() as u32 + 1);
        *self.numbers.entry((whole, part)).or_insert(next)
    }

    /// One that was met.
    pub fn get(&self, whole: Label, part: Part) -> Option<Label> {
        self.numbers.get(&(whole, part)).copied()
    }
}
