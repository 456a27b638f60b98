//! Comparisons: each is one decision, however large the terms are, and none if the shadows do not matter.

use super::identity::has_function;
use crate::context::Context;
use crate::primitive::Compare;
use crate::value::{DEEPEST, FEW_PARTS, Kind, Word, identical};
use formula::Kinds;
use path::Concretised;
use std::cmp::Ordering;

/// The question of a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Identical,
    Equal,
    Less,
}

impl Context {
    /// Records a comparison of values whose parts may have shadows. `holds` is its result.
    pub fn record_compare(&mut self, compare: Compare, a: Word, b: Word, holds: bool) {
        // If a value has no parts, the top of the other one decides.
        let is_symbolic = a.is_symbolic() || b.is_symbolic();
        if !is_symbolic && (has_no_parts(a) || has_no_parts(b)) {
            return;
        }
        let mut left = FEW_PARTS;
        let mut is_plain = |word| self.heap.has_shadow_near(word, DEEPEST, &mut left) == Some(false);
        if is_plain(a) && is_plain(b) {
            return;
        }
        let (question, a, b, negated) = match compare {
            Compare::Less => (Question::Less, a, b, false),
            Compare::GreaterOrEqual => (Question::Less, a, b, true),
            Compare::LessOrEqual => (Question::Less, b, a, true),
            Compare::Greater => (Question::Less, b, a, false),
            Compare::Equal => (Question::Equal, a, b, false),
            Compare::NotEqual => (Question::Equal, a, b, true),
            Compare::Identical => (Question::Identical, a, b, false),
            Compare::NotIdentical => (Question::Identical, a, b, true),
        };
        let depends = self.depends_on(question, a, b);
        match depends {
            Depends::Nothing => return,
            Depends::Shadow => {}
            // The decision is kept, so that runs with data at this place meet the same one.
            Depends::Identity => self.lose(Concretised::IdentityOfFunction),
        }
        let (x, y) = match (self.reify(a), self.reify(b)) {
            (Ok(x), Ok(y)) => (x, y),
            // The loss has been recorded above.
            (Err(_), _) | (_, Err(_)) if depends == Depends::Identity => return,
            (Err(why), _) | (_, Err(why)) => return self.lose(why.reason()),
        };
        let formulas = &mut self.recorder.formulas;
        let formula = match question {
            Question::Identical => formulas.identical(x, y),
            Question::Equal => formulas.equal(x, y),
            Question::Less => formulas.less(x, y),
        };
        self.decide(formula, holds != negated);
    }

    /// Returns whether they are the same term. Recorded if shadows matter.
    pub fn decide_identical(&mut self, a: Word, b: Word) -> bool {
        let same = identical(a, b);
        if self.heap.has_shadows() {
            self.record_compare(Compare::Identical, a, b, same);
        }
        same
    }

    /// Returns whether one comes before the other in the order of terms. Recorded if shadows matter.
    pub fn decide_before(&mut self, a: Word, b: Word) -> bool {
        let is_less = self.language.compare(a, b).is_lt();
        if self.heap.has_shadows() {
            self.record_compare(Compare::Less, a, b, is_less);
        }
        is_less
    }

    /// Returns the order of two terms. Recorded if shadows matter.
    pub fn decide_order(&mut self, a: Word, b: Word) -> Ordering {
        let order = self.language.compare(a, b);
        if self.heap.has_shadows() {
            self.record_compare(Compare::Less, a, b, order.is_lt());
            if order.is_ge() {
                self.record_compare(Compare::Less, b, a, order.is_gt());
            }
        }
        order
    }

    /// Returns whether another input can change the answer. Both terms are walked together, in the order in which they
    /// are compared. Unequal parts without shadows settle an equation wherever they are, and an order if they come
    /// before the first shadow. The order of structures is by size first.
    fn depends_on(&self, question: Question, a: Word, b: Word) -> Depends {
        let mut open = vec![(a, b)];
        let mut met = Depends::Nothing;
        while let Some((mut x, mut y)) = open.pop() {
            loop {
                if x == y {
                    break;
                }
                if self.tells_functions_apart(x, y) {
                    if question == Question::Less {
                        return Depends::Identity;
                    }
                    met = Depends::Identity;
                    break;
                }
                if x.is_symbolic() || y.is_symbolic() {
                    if question == Question::Less {
                        return Depends::Shadow;
                    }
                    met = met.max(Depends::Shadow);
                    break;
                }
                if x.is_cons() && y.is_cons() {
                    open.push((x.tail(), y.tail()));
                    (x, y) = (x.head(), y.head());
                    continue;
                }
                match self.same_shape(x, y) {
                    Comparison::Parts => {
                        let pairs = x.payload().iter().copied().zip(y.payload().iter().copied());
                        open.extend(pairs.rev());
                        break;
                    }
                    Comparison::Maps => {
                        if self.heap.is_shadowed(x) || self.heap.is_shadowed(y) {
                            if question == Question::Less {
                                return Depends::Shadow;
                            }
                            met = met.max(Depends::Shadow);
                            break;
                        }
                    }
                    Comparison::Other => {}
                }
                let equal = match question {
                    Question::Identical => identical(x, y),
                    Question::Equal => self.language.equal(x, y),
                    Question::Less => self.language.compare(x, y).is_eq(),
                };
                if !equal {
                    return Depends::Nothing;
                }
                break;
            }
        }
        met
    }

    /// Returns whether the comparison of two values depends on the identity of a function input: one of them is a
    /// function, and the other one is, or with other inputs may be, a function as well.
    fn tells_functions_apart(&self, x: Word, y: Word) -> bool {
        let may_be = |word: Word| {
            let kinds = word.as_symbolic().map(|(_, formula)| self.recorder.formulas.kinds(formula));
            word.concrete().is_function() || kinds.is_some_and(|kinds| kinds.meets(Kinds::FUNCTION))
        };
        let is_input = |word: Word| word.is_symbolic() || self.is_function_input(word);
        let (has_shadow, concrete) = (x.is_symbolic() || y.is_symbolic(), (x.concrete(), y.concrete()));
        if concrete.0.is_function() || concrete.1.is_function() {
            return may_be(x) && may_be(y) && (is_input(x) || is_input(y));
        }
        has_shadow && meets_functions_first(concrete.0, concrete.1)
    }

    fn same_shape(&self, x: Word, y: Word) -> Comparison {
        match (x.kind(), y.kind()) {
            (Some(Kind::Tuple), Some(Kind::Tuple)) if x.payload().len() == y.payload().len() => Comparison::Parts,
            (Some(Kind::Closure), Some(Kind::Closure)) if x.header() == y.header() && x.raw(0) == y.raw(0) => {
                Comparison::Parts
            }
            (Some(Kind::SmallMap | Kind::LargeMap), Some(Kind::SmallMap | Kind::LargeMap))
                if x.map_size() == y.map_size() =>
            {
                Comparison::Maps
            }
            _ => Comparison::Other,
        }
    }
}

/// Returns whether both values have a function at the first position where they differ. Two maps count if both contain
/// functions anywhere.
fn meets_functions_first(a: Word, b: Word) -> bool {
    let mut open = vec![(a, b)];
    while let Some((x, y)) = open.pop() {
        let (x, y) = (x.concrete(), y.concrete());
        if x == y {
            continue;
        }
        if x.is_cons() && y.is_cons() {
            open.extend([(x.tail(), y.tail()), (x.head(), y.head())]);
            continue;
        }
        match (x.kind(), y.kind()) {
            (Some(Kind::Closure | Kind::External), Some(Kind::Closure | Kind::External)) => return true,
            (Some(Kind::Tuple), Some(Kind::Tuple)) if x.payload().len() == y.payload().len() => {
                let pairs = x.payload().iter().copied().zip(y.payload().iter().copied());
                open.extend(pairs.rev());
            }
            (Some(Kind::SmallMap | Kind::LargeMap), Some(Kind::SmallMap | Kind::LargeMap)) => {
                return x.map_size() == y.map_size() && has_function(x) && has_function(y);
            }
            _ if identical(x, y) => {}
            _ => return false,
        }
    }
    false
}

/// The parts of the inputs that decide a comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depends {
    Nothing,
    Shadow,
    /// The identity of a function, which has no formula.
    Identity,
}

fn has_no_parts(word: Word) -> bool {
    word.is_immediate() || word.is_leaf()
}

enum Comparison {
    /// Compared part by part.
    Parts,
    Maps,
    Other,
}
