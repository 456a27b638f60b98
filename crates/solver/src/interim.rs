use formula::{Atoms, TypeId, Types};
use term::{Atom, Term};

pub(crate) trait Inhabit {
    fn smallest(&self, id: TypeId) -> Option<Term>;
    fn conform(&self, id: TypeId, term: &Term) -> Option<Term>;
}

impl Inhabit for Types {
    fn smallest(&self, id: TypeId) -> Option<Term> {
        small(self, id, 12)
    }

    fn conform(&self, id: TypeId, term: &Term) -> Option<Term> {
        if self.contains(id, term) { Some(term.clone()) } else { self.smallest(id) }
    }
}

fn small(types: &Types, id: TypeId, deep: u32) -> Option<Term> {
    let node = types.node(id);
    let deep = deep.checked_sub(1)?;
    if let Some(range) = node.integers.first() {
        let zero = Term::Int(0);
        return Some(match (&range.low, &range.high) {
            _ if range.contains(&zero) => zero,
            (Some(low), _) if low.sign() == num_bigint::Sign::Plus => Term::integer(low.clone()),
            (_, Some(high)) => Term::integer(high.clone()),
            _ => zero,
        });
    }
    match &node.atoms {
        Atoms::These(these) => {
            if let Some(atom) = these.first() {
                return Some(Term::Atom(*atom));
            }
        }
        Atoms::All => return Some(Term::Atom(Atom::new("a"))),
    }
    if node.nil {
        return Some(Term::Nil);
    }
    for tuple in &node.tuples {
        let items: Option<Vec<Term>> = tuple.iter().map(|item| small(types, *item, deep)).collect();
        if let Some(items) = items {
            return Some(Term::tuple(items));
        }
    }
    if let Some(bits) = node.bits.first() {
        return Some(Term::Bits(term::Bits::new(vec![0; (bits.base as usize).div_ceil(8)], bits.base as usize)));
    }
    if node.floats {
        return Some(Term::Float(0.0));
    }
    for cons in &node.cons {
        if let (Some(head), Some(tail)) = (small(types, cons.head, deep), small(types, cons.tail, deep)) {
            return Some(Term::list_with_tail(vec![head], tail));
        }
    }
    for fields in &node.maps {
        let pairs: Option<Vec<(Term, Term)>> = fields
            .iter()
            .filter(|field| field.required)
            .map(|field| Some((small(types, field.key, deep)?, small(types, field.value, deep)?)))
            .collect();
        if let Some(mut pairs) = pairs {
            pairs.sort_by(|a, b| term::order::key_order(&a.0, &b.0));
            return Some(Term::Map(pairs.into()));
        }
    }
    None
}
