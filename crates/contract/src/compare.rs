//! Compares types: is one type, which may have free variables, part of another for some choice of these variables? The
//! answer is no where a simple comparison cannot show it.

use crate::declarations::{Declarations, Meaning};
use crate::shape::{ClosedId, ClosedType, ClosedTypes};
use rustc_hash::FxHashMap;
use term::{Atom, BigInt};

/// The maximum number of steps of a comparison, which bounds the comparison of recursive types.
const MOST_STEPS: u32 = 1000;

pub(crate) struct Comparison<'b, 'a> {
    declarations: &'b mut Declarations<'a>,
    /// The types found for the free variables.
    pub found: FxHashMap<Atom, ClosedId>,
    steps: u32,
}

impl<'b, 'a> Comparison<'b, 'a> {
    pub fn new(declarations: &'b mut Declarations<'a>) -> Comparison<'b, 'a> {
        Comparison { declarations, found: FxHashMap::default(), steps: 0 }
    }

    pub fn all_within(&mut self, parts: &[ClosedId], wholes: &[ClosedId]) -> bool {
        parts.len() == wholes.len() && parts.iter().zip(wholes).all(|(part, whole)| self.within(*part, *whole))
    }

    pub fn within(&mut self, part: ClosedId, whole: ClosedId) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return false;
        }
        if let ClosedType::Free(variable) = *self.declarations.shapes.get(part) {
            return *self.found.entry(variable).or_insert(whole) == whole;
        }
        if part == whole || part == ClosedTypes::NONE || whole == ClosedTypes::ANY {
            return true;
        }
        if let Some(Meaning::Alias(body)) = self.declarations.meaning(part) {
            return self.within(body, whole);
        }
        if let Some(Meaning::Alias(body)) = self.declarations.meaning(whole) {
            return self.within(part, body);
        }
        let wider = self.declarations.shapes.get(whole).clone();
        match (self.declarations.shapes.get(part).clone(), wider) {
            (ClosedType::Union(members), _) => members.iter().all(|member| self.within(*member, whole)),
            (_, ClosedType::Union(members)) => members.iter().any(|member| {
                let before = self.found.clone();
                let within = self.within(part, *member);
                if !within {
                    self.found = before;
                }
                within
            }),
            (ClosedType::Atom(_), ClosedType::AnyAtom)
            | (ClosedType::Tuple(_), ClosedType::AnyTuple)
            | (ClosedType::Map(_), ClosedType::AnyMap)
            | (ClosedType::Function { .. }, ClosedType::AnyFunction) => true,
            (ClosedType::Integer { low, high }, ClosedType::Integer { low: lowest, high: highest }) => {
                let above = |bound: &BigInt| low.as_ref().is_some_and(|low| low >= bound);
                let below = |bound: &BigInt| high.as_ref().is_some_and(|high| high <= bound);
                lowest.as_ref().is_none_or(above) && highest.as_ref().is_none_or(below)
            }
            (ClosedType::Tuple(parts), ClosedType::Tuple(wholes)) => self.all_within(&parts, &wholes),
            (ClosedType::Nil, ClosedType::Rest { end, .. }) => self.within(part, end),
            (ClosedType::Cons { head, tail }, ClosedType::Rest { element, .. }) => {
                self.within(head, element) && self.within(tail, whole)
            }
            (ClosedType::Cons { head, tail }, ClosedType::Cons { head: heads, tail: tails }) => {
                self.within(head, heads) && self.within(tail, tails)
            }
            (ClosedType::Rest { element, end }, ClosedType::Rest { element: elements, end: ends }) => {
                self.within(element, elements) && self.within(end, ends)
            }
            (
                ClosedType::Named { module, name, args },
                ClosedType::Named { module: other_module, name: other_name, args: others },
            ) => module == other_module && name == other_name && self.all_within(&args, &others),
            _ => false,
        }
    }
}
