//! Names of what function inputs are made of: the same in every run that took the same decisions so far.

use crate::functions::{has_functions, parts};
use formula::Constant;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use term::Term;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Label(pub u32);

/// What something is within what is around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// An input of the unit.
    Input(u32),
    /// The item of a list, the tail behind so many items, or the element of a tuple.
    Inside(u32),
    /// What a map has at this key.
    Value(Constant),
    /// The function that a piece of data is.
    Itself,
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
    /// The application of a result of the unit that is a function, by its number in a row of applications.
    Application(u32),
    /// A step of a client, counted from 0.
    Step(u32),
    /// What a client does if the call of a step raises an exception.
    Rescue,
    /// The clause of an operation's specification that a step keeps to.
    Clause(u32),
    /// An argument of a step that does this, by the number of the operation, its clause, and the parameter.
    Operand {
        act: u32,
        clause: u32,
        index: u32,
    },
}

/// Every label that was ever met. Shared: they outlive runs, however these end.
#[derive(Clone, Default)]
pub struct Labels {
    numbers: Arc<Mutex<FxHashMap<(Label, Part), Label>>>,
}

impl Labels {
    pub const ROOT: Label = Label(0);

    pub fn of(&self, whole: Label, part: Part) -> Label {
        let mut numbers = self.numbers();
        let next = Label(numbers.len() as u32 + 1);
        *numbers.entry((whole, part)).or_insert(next)
    }

    /// A run that ends in the middle of this table leaves it whole.
    fn numbers(&self) -> MutexGuard<'_, FxHashMap<(Label, Part), Label>> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One that was met.
    pub fn get(&self, whole: Label, part: Part) -> Option<Label> {
        self.numbers().get(&(whole, part)).copied()
    }
}

/// Labels of the functions in a piece of data, in the order in which it is walked through. They depend on where a
/// function lies alone: whether others lie beside it may not be decided yet.
pub fn labels_inside(
    label: Option<Label>,
    term: &Term,
    of: &mut dyn FnMut(Label, Part) -> Option<Label>,
    found: &mut Vec<Option<Label>>,
) {
    if !has_functions(term) {
        return;
    }
    if let Term::Fun(_) = term {
        found.push(label.and_then(|label| of(label, Part::Itself)));
        return;
    }
    let name = |index: usize| match term {
        Term::Map(pairs) if index % 2 == 1 => Part::Value(Constant(pairs[index / 2].0.clone())),
        _ => Part::Inside(index as u32),
    };
    for (index, part) in parts(term).into_iter().enumerate().filter(|(_, part)| has_functions(part)) {
        let inside = label.and_then(|label| of(label, name(index)));
        labels_inside(inside, part, of, found);
    }
}
