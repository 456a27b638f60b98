//! Is one type, which may have free variables, part of another for some choice of these variables? Answers
//! no where it is not plain to see.

use crate::declarations::{Declarations, Meaning};
use crate::shape::{Shape, ShapeId, Shapes};
use rustc_hash::FxHashMap;
use term::{Atom, BigInt};

/// Recursive types are compared so far.
const MOST_STEPS: u32 = 1000;

pub(crate) struct Comparison<'b, 'a> {
    declarations: &'b mut Declarations<'a>,
    /// What the free variables were found to be.
    pub found: FxHashMap<Atom, ShapeId>,
    steps: u32,
}

impl<'b, 'a> Comparison<'b, 'a> {
    pub fn new(declarations: &'b mut Declarations<'a>) -> Comparison<'b, 'a> {
        Comparison { declarations, found: FxHashMap::default(), steps: 0 }
    }

    pub fn all_within(&mut self, parts: &[ShapeId], wholes: &[ShapeId]) -> bool {
        parts.len() == wholes.len() && parts.iter().zip(wholes).all(|(part, whole)| self.within(*part, *whole))
    }

    pub fn within(&mut self, part: ShapeId, whole: ShapeId) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return false;
        }
        if let Shape::Free(variable) = *self.declarations.shapes.get(part) {
            return *self.found.entry(variable).or_insert(whole) == whole;
        }
        if part == whole || part == Shapes::NONE || whole == Shapes::ANY {
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
            (Shape::Union(members), _) => members.iter().all(|member| self.within(*member, whole)),
            (_, Shape::Union(members)) => members.iter().any(|member| {
                let before = self.found.clone();
                let within = self.within(part, *member);
                if !within {
                    self.found = before;
                }
                within
            }),
            (Shape::Atom(_), Shape::AnyAtom)
            | (Shape::Tuple(_), Shape::AnyTuple)
            | (Shape::Map(_), Shape::AnyMap)
            | (Shape::Function { .. }, Shape::AnyFunction) => true,
            (Shape::Integer { low, high }, Shape::Integer { low: lowest, high: highest }) => {
                let above = |bound: &BigInt| low.as_ref().is_some_and(|low| low >= bound);
                let below = |bound: &BigInt| high.as_ref().is_some_and(|high| high <= bound);
                lowest.as_ref().is_none_or(above) && highest.as_ref().is_none_or(below)
            }
            (Shape::Tuple(parts), Shape::Tuple(wholes)) => self.all_within(&parts, &wholes),
            (Shape::Nil, Shape::Rest { end, .. }) => self.within(part, end),
            (Shape::Cons { head, tail }, Shape::Rest { element, .. }) => {
                self.within(head, element) && self.within(tail, whole)
            }
            (Shape::Cons { head, tail }, Shape::Cons { head: heads, tail: tails }) => {
                self.within(head, heads) && self.within(tail, tails)
            }
            (Shape::Rest { element, end }, Shape::Rest { element: elements, end: ends }) => {
                self.within(element, elements) && self.within(end, ends)
            }
            (
                Shape::Named { module, name, args },
                Shape::Named { module: other_module, name: other_name, args: others },
            ) => module == other_module && name == other_name && self.all_within(&args, &others),
            _ => false,
        }
    }
}
