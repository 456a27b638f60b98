//! Substitution of terms for variables.

use crate::table::Formulas;
use crate::terms::{BitsPart, Operator, TermId, Test, Variable};
use rustc_hash::FxHashMap;

impl Formulas {
    /// Returns the term with all variables of `with` replaced at once. It is built by the canonical constructors, so it
    /// may be much simpler than the original.
    pub fn substitute(&mut self, id: TermId, with: &FxHashMap<Variable, TermId>) -> TermId {
        let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
        // A child is older than its parent, so in the order of birth the children of a term are done before it.
        for term in self.below(id) {
            let operator = self.operator(term).clone();
            let made = match &operator {
                Operator::Variable(variable) => with.get(variable).copied().unwrap_or(term),
                operator => self.rebuilt(term, operator, &known),
            };
            known.insert(term, made);
        }
        known.get(&id).copied().unwrap_or(id)
    }

    /// Returns the term and all terms below it, the oldest first.
    fn below(&self, id: TermId) -> Vec<TermId> {
        let mut found = vec![id];
        let mut next = 0;
        let mut seen: rustc_hash::FxHashSet<TermId> = found.iter().copied().collect();
        while let Some(term) = found.get(next).copied() {
            next += 1;
            self.operator(term).each_child(|child| {
                if seen.insert(child) {
                    found.push(child);
                }
            });
        }
        found.sort_unstable();
        found
    }

    fn rebuilt(&mut self, term: TermId, operator: &Operator, known: &FxHashMap<TermId, TermId>) -> TermId {
        let mut is_changed = false;
        operator.each_child(|child| is_changed |= known.get(&child).is_some_and(|made| *made != child));
        if !is_changed {
            return term;
        }
        let new = |id: &TermId| known.get(id).copied().unwrap_or(*id);
        match operator {
            Operator::Variable(_) | Operator::Constant(_) => term,
            Operator::Cons(a, b) => self.cons(new(a), new(b)),
            Operator::Tuple(parts) => self.tuple(&parts.iter().map(new).collect::<Vec<_>>()),
            Operator::Bits(parts) => {
                let part = |part: &BitsPart| BitsPart {
                    value: new(&part.value),
                    size: part.size.as_ref().map(new),
                    kind: part.kind,
                };
                self.bits(parts.iter().map(part).collect())
            }
            Operator::MapPut { map, key, value } => self.map_put(new(map), new(key), new(value)),
            Operator::MapRemove { map, key } => self.map_remove(new(map), new(key)),
            Operator::SetElementAt { tuple, index, value } => self.set_element_at(new(tuple), new(index), new(value)),
            Operator::Item(list, index) => self.item(new(list), *index),
            Operator::Rest(list, cells) => self.rest(new(list), *cells),
            Operator::ItemAt(list, index) => self.item_at(new(list), new(index)),
            Operator::RestAt(list, cells) => self.rest_at(new(list), new(cells)),
            Operator::Element(tuple, index) => self.element(new(tuple), *index),
            Operator::ElementAt(tuple, index) => self.element_at(new(tuple), new(index)),
            Operator::MapGet { map, key } => self.map_get(new(map), new(key)),
            Operator::MapKeyAt(map, index) => self.map_key_at(new(map), *index),
            Operator::MapValueAt(map, index) => self.map_value_at(new(map), *index),
            Operator::BitsNumber { bits, at, size, format } => self.bits_number(new(bits), new(at), new(size), *format),
            Operator::BitsSlice { bits, at, size } => self.bits_slice(new(bits), new(at), new(size)),
            Operator::Length(list) => self.length(new(list)),
            Operator::TupleSize(tuple) => self.tuple_size(new(tuple)),
            Operator::MapSize(map) => self.map_size(new(map)),
            Operator::BitSize(bits) => self.bit_size(new(bits)),
            Operator::Test(Test::Kind(of, kinds)) => self.kind(new(of), *kinds),
            Operator::Test(Test::TupleOf(of, size)) => self.tuple_of(new(of), *size),
            Operator::Test(Test::FunctionOf(of, arity)) => self.function_of(new(of), *arity),
            Operator::Test(Test::OneOf(of, constants)) => self.one_of(new(of), constants.clone()),
            Operator::Test(Test::ProperList(of)) => self.proper_list(new(of)),
            Operator::Test(Test::HasItem(list, index)) => self.has_item(new(list), new(index)),
            Operator::Test(Test::MapHas { map, key }) => self.map_has(new(map), new(key)),
            Operator::Test(Test::Identical(a, b)) => self.identical(new(a), new(b)),
            Operator::Test(Test::Equal(a, b)) => self.equal(new(a), new(b)),
            Operator::Test(Test::Less(a, b)) => self.less(new(a), new(b)),
            Operator::Test(Test::Not(a)) => self.not(new(a)),
            Operator::Test(Test::And(a, b)) => self.and(new(a), new(b)),
            Operator::Test(Test::Or(a, b)) => self.or(new(a), new(b)),
            Operator::Arithmetic(operation, a, b) => self.arithmetic(*operation, new(a), new(b)),
            Operator::Numeric(operation, a) => self.numeric(*operation, new(a)),
            Operator::Test(Test::Defined(a)) => self.defined(new(a)),
            Operator::Convert(conversion, a) => self.convert(*conversion, new(a)),
            Operator::Test(Test::Converts(conversion, a)) => self.converts(*conversion, new(a)),
            Operator::Lookup(key, mapping) => self.lookup(new(key), mapping.clone()),
            Operator::Apply { function, delivers, args } => {
                self.apply(*function, *delivers, &args.iter().map(new).collect::<Vec<_>>())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Arithmetic;
    use crate::{Assignment, evaluate};
    use term::Term;

    /// The value of a term at `f(x)` is the value at `x` of the term with `f(x)` substituted.
    #[test]
    fn substitution_agrees_with_evaluation() {
        let mut formulas = Formulas::default();
        let x = formulas.variable(Variable(0));
        let y = formulas.variable(Variable(1));
        let one = formulas.integer(1);
        let next = formulas.arithmetic(Arithmetic::Add, x, one);
        let sum = formulas.arithmetic(Arithmetic::Multiply, x, y);
        let less = formulas.less(sum, x);
        let pair = formulas.tuple(&[less, x, y]);
        let list = formulas.cons(pair, y);
        let with = FxHashMap::from_iter([(Variable(0), next)]);
        let changed = formulas.substitute(list, &with);
        assert_ne!(changed, list);
        for value in [-3, 0, 7] {
            let before = Assignment::from_iter([(Variable(0), Term::Int(value)), (Variable(1), Term::Int(2))]);
            let after = Assignment::from_iter([(Variable(0), Term::Int(value + 1)), (Variable(1), Term::Int(2))]);
            assert_eq!(evaluate(&formulas, changed, &before), evaluate(&formulas, list, &after));
            assert!(evaluate(&formulas, changed, &before).is_some());
        }
        assert_eq!(formulas.substitute(y, &with), y);
    }
}
