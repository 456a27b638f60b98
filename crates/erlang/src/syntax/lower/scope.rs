//! The variables that names refer to, at one place of a function.

use super::free::Names;
use crate::syntax::ast::Name;
use crate::syntax::error::{Position, SyntaxError};
use program::Var;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    Bound(Var),
    /// Bound by a sibling, for example another argument of the same call. It is visible in patterns, but not in
    /// expressions.
    Pending(Var),
    /// Unsafe in a sibling, and not visible here.
    PendingUnsafe {
        construct: &'static str,
        at: Position,
    },
    /// Bound by some branches before this place, but not by all.
    Unsafe {
        construct: &'static str,
        at: Position,
    },
    /// The stack trace of a handler, which may not be used in its guard.
    Trace(Var),
}

/// The names in scope. A later entry shadows an earlier one of the same name; a scope is cut back to a mark.
#[derive(Default)]
pub struct Scope {
    entries: Vec<Entry>,
    newest: HashMap<Name, usize>,
}

struct Entry {
    name: Name,
    state: Visibility,
    hidden: Option<usize>,
}

#[derive(Clone, Copy)]
pub struct Mark(usize);

impl Scope {
    pub fn get(&self, name: &str) -> Option<Visibility> {
        let state = self.newest.get(name).map(|&index| self.entries[index].state);
        state.filter(|state| !matches!(state, Visibility::PendingUnsafe { .. }))
    }

    /// Returns the variable that an expression reads.
    pub fn read(&self, name: &str, at: Position) -> Result<Var, SyntaxError> {
        match self.get(name) {
            Some(Visibility::Bound(var)) => Ok(var),
            Some(Visibility::Pending(_) | Visibility::PendingUnsafe { .. }) | None => {
                Err(SyntaxError::new(at, format!("variable {name} is unbound")))
            }
            Some(Visibility::Unsafe { construct, at: cause }) => Err(unsafe_variable(name, construct, cause, at)),
            Some(Visibility::Trace(_)) => {
                Err(SyntaxError::new(at, format!("stack trace {name} cannot be used in a guard")))
            }
        }
    }

    pub fn push(&mut self, name: Name, state: Visibility) {
        let hidden = self.newest.insert(name.clone(), self.entries.len());
        self.entries.push(Entry { name, state, hidden });
    }

    pub fn mark(&self) -> Mark {
        Mark(self.entries.len())
    }

    /// Removes and returns the entries that were added since the mark.
    pub fn take_since(&mut self, mark: Mark) -> Vec<(Name, Visibility)> {
        let mut taken = Vec::new();
        while self.entries.len() > mark.0 {
            let Some(entry) = self.entries.pop() else { break };
            match entry.hidden {
                Some(index) => self.newest.insert(entry.name.clone(), index),
                None => self.newest.remove(&entry.name),
            };
            taken.push((entry.name, entry.state));
        }
        taken.reverse();
        taken
    }

    pub fn hide_since(&mut self, mark: Mark) {
        for entry in &mut self.entries[mark.0..] {
            match entry.state {
                Visibility::Bound(var) => entry.state = Visibility::Pending(var),
                Visibility::Unsafe { construct, at } => entry.state = Visibility::PendingUnsafe { construct, at },
                Visibility::Pending(_) | Visibility::PendingUnsafe { .. } | Visibility::Trace(_) => {}
            }
        }
    }

    /// Makes entries since the mark visible. A name that one sibling binds and that is unsafe in another is unsafe.
    pub fn show_since(&mut self, mark: Mark) {
        for index in mark.0..self.entries.len() {
            match self.entries[index].state {
                Visibility::Pending(var) => self.entries[index].state = Visibility::Bound(var),
                Visibility::PendingUnsafe { construct, at } => {
                    let newest = self.newest.get(&self.entries[index].name).copied().unwrap_or(index);
                    self.entries[index].state = Visibility::Unsafe { construct, at };
                    self.entries[newest].state = Visibility::Unsafe { construct, at };
                }
                Visibility::Bound(_) | Visibility::Unsafe { .. } | Visibility::Trace(_) => {}
            }
        }
    }

    /// Returns the scope of a function that mentions `names`, whose parameters from `first` on are those of them that
    /// are bound, and the variables for these parameters. Unsafe names remain unsafe.
    pub fn captured(&self, names: &Names, first: usize) -> (Scope, Vec<Var>) {
        let mut inner = Scope::default();
        let mut passed = Vec::new();
        for name in names {
            match self.get(name) {
                Some(Visibility::Bound(var) | Visibility::Trace(var)) => {
                    inner.push(name.clone(), Visibility::Bound(Var((first + passed.len()) as u32)));
                    passed.push(var);
                }
                Some(state @ Visibility::Unsafe { .. }) => inner.push(name.clone(), state),
                Some(Visibility::Pending(_) | Visibility::PendingUnsafe { .. }) | None => {}
            }
        }
        (inner, passed)
    }
}

pub fn unsafe_variable(name: &str, construct: &str, cause: Position, at: Position) -> SyntaxError {
    SyntaxError::new(at, format!("variable {name} is unsafe: '{construct}' at {cause} does not always bind it"))
}
