//! What an input may find in what it is given: functions that lie in data, which must be asked for their kinds.

use crate::play::Play;
use formula::{Kinds, TermId, Types};
use machine::{Context, Loss, Word};

/// Parts of one value that are asked for their kinds.
const MOST_OPENED: u32 = 64;

impl Play {
    /// Asks a value that an input is given for functions that other inputs could have put there: once the unit
    /// has handed a function out, an input could have brought it from one call into another.
    pub(crate) fn open(&mut self, context: &mut Context, value: Word) {
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
            if !self.admits(context, formula) {
                continue;
            }
            if left == 0 {
                context.recorder.concretised(Loss::Machine("functions deep inside of what an input is called with"));
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
                context.recorder.concretised(Loss::Machine("functions in maps that an input is called with"));
            }
        }
    }

    /// Can there be a function in a value of these types?
    fn admits(&self, context: &Context, formula: TermId) -> bool {
        let formulas = &context.recorder.formulas;
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
