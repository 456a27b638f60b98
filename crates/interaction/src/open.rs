//! Functions that are hidden in data: once the unit has handed a function out, an input could have brought it from one
//! call into another, inside one of its answers.

use crate::play::Play;
use formula::{Formulas, Kinds, Operator, TermId, Types};
use machine::{Context, Word};
use path::Concretised;
use rustc_hash::FxHashSet;

/// The greatest number of parts of one value whose kinds are asked for.
const MOST_OPENED: u32 = 64;

impl Play {
    /// Returns whether a piece of data could contain a function that an activation with these functions does not have.
    /// It does not if all functions in scope where the data was made are in scope here, too: the activation could do
    /// without the data whatever it does with a function in it.
    pub(crate) fn hides(&self, formulas: &Formulas, formula: TermId, at_hand: &FxHashSet<u32>) -> bool {
        if !self.admits(formulas, formula) {
            return false;
        }
        let mut root = formula;
        loop {
            if let Operator::Variable(variable) = formulas.operator(root) {
                let index = variable.0.checked_sub(self.first_variable);
                let position = index.and_then(|index| self.positions.get(index as usize));
                return position.is_some_and(|position| !position.around.is_subset(at_hand));
            }
            let mut whole = None;
            formulas.operator(root).each_child(|child| whole = whole.or(Some(child)));
            let Some(whole) = whole else { return false };
            root = whole;
        }
    }

    /// Asks whether a value that an input is given has functions that are not in its scope.
    pub(crate) fn open(&mut self, context: &mut Context, value: Word, at_hand: &FxHashSet<u32>) {
        let mut left = MOST_OPENED;
        let mut open = vec![value];
        while let Some(word) = open.pop() {
            let Some((concrete, formula)) = word.as_symbolic() else {
                if word.is_cons() {
                    open.extend([word.tail(), word.head()]);
                } else if let Some(elements) = word.as_tuple() {
                    open.extend(elements.iter().rev());
                }
                continue;
            };
            if !self.hides(&context.recorder.formulas, formula, at_hand) {
                continue;
            }
            if left == 0 {
                context.recorder.concretised(Concretised::FunctionsDeepInArguments);
                return;
            }
            left -= 1;
            let mut is = |kind: Kinds, held: bool| {
                let condition = context.recorder.formulas.kind(formula, kind);
                context.decide(condition, held)
            };
            if is(Kinds::FUNCTION, concrete.is_function()) {
                let arity = u32::from(concrete.header().aux());
                for asked in 0..=arity {
                    let condition = context.recorder.formulas.function_of(formula, asked);
                    context.decide(condition, asked == arity);
                }
            } else if is(Kinds::CONS, concrete.is_cons()) {
                let (head, tail) = (context.recorder.formulas.head(formula), context.recorder.formulas.tail(formula));
                let tail = context.with_formula(concrete.tail(), tail);
                let head = context.with_formula(concrete.head(), head);
                open.extend([tail, head]);
            } else if is(Kinds::TUPLE, concrete.as_tuple().is_some()) {
                let elements = concrete.as_tuple().unwrap_or_default();
                for asked in 0..=elements.len() {
                    let condition = context.recorder.formulas.tuple_of(formula, asked as u32);
                    context.decide(condition, asked == elements.len());
                }
                for (index, element) in elements.iter().enumerate().rev() {
                    let part = context.recorder.formulas.element(formula, index as u32);
                    open.push(context.with_formula(*element, part));
                }
            } else if is(Kinds::MAP, concrete.is_map()) {
                context.recorder.concretised(Concretised::FunctionsInMapsOfArguments);
            }
        }
    }

    /// Returns whether there can be a function in a value of the formula's types.
    fn admits(&self, formulas: &Formulas, formula: TermId) -> bool {
        if !formulas.is_position(formula) {
            return false;
        }
        let mut open = formulas.types_of(formula).to_vec();
        let mut seen = open.clone();
        while let Some(of) = open.pop() {
            let node = self.types.node(of);
            if of == Types::ANY || node.any_function || !node.functions.is_empty() {
                return true;
            }
            let below = node.cons.iter().flat_map(|cons| [cons.head, cons.tail]);
            let below = below.chain(node.tuples.iter().flatten().copied());
            for of in below.chain(node.maps.iter().flatten().flat_map(|field| [field.key, field.value])) {
                if !seen.contains(&of) {
                    seen.push(of);
                    open.push(of);
                }
            }
        }
        false
    }
}
