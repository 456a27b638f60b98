//! Parts of known structures at unknown places.

use super::encode::{Encoder, Facet};
use formula::{Kinds, Operator, TermId};
use term::Term;

/// The largest number of parts that a structure may have.
const LARGEST: usize = 300;

impl Encoder<'_> {
    /// Returns the parts that might be meant, in their order, and the index.
    fn choices(&mut self, id: TermId) -> Option<(Vec<TermId>, TermId)> {
        let (of, index) = match *self.formulas.operator(id) {
            Operator::ElementAt(tuple, index) => (tuple, index),
            Operator::ItemAt(list, index) => (list, index),
            _ => return None,
        };
        let parts = match self.formulas.operator(of).clone() {
            Operator::Constant(constant) => {
                let items: &[Term] = match &constant.0 {
                    Term::Tuple(items) => items,
                    Term::List(items, _) => items,
                    _ => return None,
                };
                if items.len() > LARGEST {
                    return None;
                }
                items.iter().map(|item| self.formulas.constant(item.clone())).collect()
            }
            Operator::Tuple(parts) if parts.len() <= LARGEST => parts.to_vec(),
            _ => return None,
        };
        Some((parts, index))
    }

    /// Returns the kinds of which a part at an unknown place can be, if it exists.
    pub(super) fn chosen_kinds(&mut self, id: TermId) -> Option<Kinds> {
        let (parts, _) = self.choices(id)?;
        Some(parts.into_iter().fold(Kinds::NONE, |all, part| all.or(self.kinds(part))))
    }

    /// Encodes a facet of a part at an unknown place.
    pub(super) fn chosen_facet(&mut self, id: TermId, facet: Facet) -> Option<String> {
        if !matches!(facet, Facet::Kind | Facet::Integer | Facet::Float | Facet::Atom) {
            return None;
        }
        let (parts, index) = self.choices(id)?;
        let index = self.facet(index, Facet::Integer);
        let mut chosen: Option<String> = None;
        for (place, part) in parts.into_iter().enumerate().rev() {
            let part = self.facet_if_any(part, facet);
            chosen = Some(match chosen {
                Some(others) if others == part => others,
                Some(others) => format!("(ite (= {index} {place}) {part} {others})"),
                None => part,
            });
        }
        chosen
    }
}
