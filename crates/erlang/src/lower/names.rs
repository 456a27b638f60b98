//! The names that OTP gives to lifted functions: they are visible in stack traces.
//!
//! A comprehension in `f/1` becomes `'-f/1-lc$^0/1-2-'`. The last number counts, within the module function, the items
//! that need one, in the order in which OTP's compiler reaches them. That order differs from the source's where it
//! compiles clauses (see `clause_order`) or arguments.

use super::state::{Kind, Lowering};
use program::FunctionId;
use std::ops::Range;
use term::{Atom, names};

/// The order in which OTP reaches the items that need names.
#[derive(Default)]
pub(super) struct Order {
    /// The items that take a number, in the order of the first pass.
    takers: Vec<Taker>,
    /// Functions in the order in which the second pass finishes their bodies. Anonymous functions that have no name
    /// after inlining take the last numbers, in this order.
    pub completed: Vec<FunctionId>,
    pub failures: Vec<ClauseFailure>,
}

/// A pass of OTP through a function: the first compiles the patterns and names local functions, the second lifts
/// functions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    First,
    Second,
}

/// A position in the order: the numbers of items that were reached.
#[derive(Clone, Copy)]
pub(super) struct Position {
    takers: usize,
    completed: usize,
}

enum Taker {
    /// A local function, with the text in the middle of its name.
    Letrec(FunctionId, String),
    Failure(usize),
}

/// A place that raises `function_clause`. If the arguments are not those of the enclosing function, OTP makes a stub
/// function that raises.
pub(super) struct ClauseFailure {
    pub stub_name: Atom,
    pub stub: Option<FunctionId>,
}

impl Order {
    pub fn letrec(&mut self, function: FunctionId, text: String) {
        self.takers.push(Taker::Letrec(function, text));
    }

    /// Adds a failure. `written_in` is the function that the failing clauses were written in, if the compiler says so.
    pub fn failure(&mut self, written_in: Option<(Atom, u32)>) -> usize {
        let site = self.failures.len();
        let stub_name = match written_in {
            Some((name, arity)) => Atom::new(&format!("-inlined-{name}/{arity}-")),
            None => {
                self.takers.push(Taker::Failure(site));
                names::EMPTY
            }
        };
        self.failures.push(ClauseFailure { stub_name, stub: None });
        site
    }
}

impl Lowering {
    pub fn position(&self) -> Position {
        Position { takers: self.order.takers.len(), completed: self.order.completed.len() }
    }

    /// Reorders parts that were lowered one after the other, with `ends[i]` as the position after part i, but that OTP
    /// reaches in the order `order` of indices.
    pub fn reorder(&mut self, start: Position, ends: &[Position], order: impl Fn(Pass) -> Vec<usize>) {
        let ends_of = |part: fn(&Position) -> usize| -> Vec<usize> { ends.iter().map(part).collect() };
        let takers = ends_of(|position| position.takers);
        permute(&mut self.order.takers, start.takers, &takers, || order(Pass::First));
        let completed = ends_of(|position| position.completed);
        permute(&mut self.order.completed, start.completed, &completed, || order(Pass::Second));
    }
}

fn permute<T>(items: &mut Vec<T>, start: usize, ends: &[usize], order: impl FnOnce() -> Vec<usize>) {
    let range = |part: usize| -> Range<usize> {
        let from = if part == 0 { start } else { ends[part - 1] };
        from - start..ends[part] - start
    };
    if items.len() - start < 2 || (0..ends.len()).filter(|&part| !range(part).is_empty()).count() < 2 {
        return;
    }
    let mut rest: Vec<Option<T>> = items.drain(start..).map(Some).collect();
    for part in order() {
        items.extend(rest[range(part)].iter_mut().filter_map(Option::take));
    }
    items.extend(rest.into_iter().flatten());
}

/// Assigns the names at the end of the module function `id`; `completed` is the number of functions that were finished
/// before it.
pub(super) fn assign_names(state: &mut Lowering, id: FunctionId, completed: usize) {
    let takers = std::mem::take(&mut state.order.takers);
    let (name, arity) = (state.drafts[id.index()].name, state.drafts[id.index()].arity);
    let numbered = |text: &str, number: usize| Atom::new(&format!("-{name}/{arity}-{text}-{number}-"));
    let count = takers.len();
    for (number, taker) in takers.into_iter().enumerate() {
        match taker {
            Taker::Letrec(function, text) => state.drafts[function.index()].name = numbered(&text, number),
            Taker::Failure(site) => {
                let failure = &mut state.order.failures[site];
                failure.stub_name = numbered("inlined", number);
                if let Some(stub) = failure.stub {
                    state.drafts[stub.index()].name = failure.stub_name;
                }
            }
        }
    }
    let mut number = count;
    for function in &state.order.completed[completed..] {
        let draft = &mut state.drafts[function.index()];
        if draft.kind == Kind::Lambda && draft.name == names::EMPTY {
            draft.name = numbered("anonymous", number);
            number += 1;
        }
    }
}
