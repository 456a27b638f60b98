//! The names of lifted functions, as OTP gives them: they are seen in stack traces.
//!
//! A comprehension in `f/1` becomes `'-f/1-lc$^0/1-2-'`. The last number counts, within the module
//! function, the things that need one, in the order in which OTP's compiler comes across them; that
//! order is not the source's wherever it compiles clauses (see `clause_order`) or arguments.

use super::state::State;
use program::FunctionId;
use std::ops::Range;
use term::{Atom, names};

#[derive(Default)]
pub(super) struct Numbering {
    /// What takes a number, in order.
    takers: Vec<Taker>,
    /// Anonymous functions that inlining has left without a name; they are numbered last.
    nameless: Vec<FunctionId>,
    pub failures: Vec<ClauseFailure>,
}

enum Taker {
    /// With the text in the middle of its name.
    Letrec(FunctionId, String),
    Failure(usize),
}

/// A place that raises `function_clause`. Where the arguments are not those of the function around
/// it, OTP makes a stub function to raise from.
pub(super) struct ClauseFailure {
    pub stub_name: Atom,
    pub stub: Option<FunctionId>,
}

impl Numbering {
    pub fn letrec(&mut self, function: FunctionId, text: String) {
        self.takers.push(Taker::Letrec(function, text));
    }

    pub fn nameless(&mut self, function: FunctionId) {
        self.nameless.push(function);
    }

    /// `written_in`: the function that the failing clauses were written in, if the compiler tells.
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

    pub fn position(&self) -> usize {
        self.takers.len()
    }

    /// Parts were lowered one after the other, `ends[i]` being the position after part i, but OTP
    /// comes to them in the order `order` of indices.
    pub fn reorder(&mut self, start: usize, ends: &[usize], order: impl FnOnce() -> Vec<usize>) {
        let range = |part: usize| -> Range<usize> {
            let from = if part == 0 { start } else { ends[part - 1] };
            from..ends[part]
        };
        if (0..ends.len()).filter(|&part| !range(part).is_empty()).count() < 2 {
            return;
        }
        let mut rest: Vec<Option<Taker>> = self.takers.drain(start..).map(Some).collect();
        for part in order() {
            let taken = rest[range(part).start - start..range(part).end - start].iter_mut().filter_map(Option::take);
            self.takers.extend(taken);
        }
        self.takers.extend(rest.into_iter().flatten());
    }
}

/// At the end of the module function `name/arity`.
pub(super) fn assign_names(state: &mut State, name: Atom, arity: u32) {
    let takers = std::mem::take(&mut state.numbering.takers);
    let nameless = std::mem::take(&mut state.numbering.nameless);
    let numbered = |text: &str, number: usize| Atom::new(&format!("-{name}/{arity}-{text}-{number}-"));
    let count = takers.len();
    for (number, taker) in takers.into_iter().enumerate() {
        match taker {
            Taker::Letrec(function, text) => state.drafts[function.index()].name = numbered(&text, number),
            Taker::Failure(site) => {
                let failure = &mut state.numbering.failures[site];
                failure.stub_name = numbered("inlined", number);
                if let Some(stub) = failure.stub {
                    state.drafts[stub.index()].name = failure.stub_name;
                }
            }
        }
    }
    for (number, function) in nameless.into_iter().enumerate() {
        state.drafts[function.index()].name = numbered("anonymous", count + number);
    }
}
