//! How large a term is.

use term::Term;

/// Has a list, tuple or map in it more than `bound` parts, or a bitstring more bytes?
pub fn exceeds(term: &Term, bound: usize) -> bool {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        let parts = match term {
            Term::List(items, tail) => {
                left.extend(items.iter().chain(tail.as_deref()));
                items.len()
            }
            Term::Tuple(items) => {
                left.extend(items.iter());
                items.len()
            }
            Term::Map(pairs) => {
                left.extend(pairs.iter().flat_map(|(key, value)| [key, value]));
                pairs.len()
            }
            Term::Bits(bits) => bits.bytes().len(),
            Term::Int(_)
            | Term::Big(_)
            | Term::Float(_)
            | Term::Atom(_)
            | Term::Nil
            | Term::Fun(_)
            | Term::Pid(_)
            | Term::Reference(_)
            | Term::Port(_) => 0,
        };
        if parts > bound {
            return true;
        }
    }
    false
}
