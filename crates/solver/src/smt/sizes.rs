//! The number of cells of a list and its end, and the size of a bitstring.

use super::encode::{Encoder, Facet, kind_number};
use formula::{Conversion, Kinds, Operator, TermId};
use term::Term;

impl Encoder<'_> {
    pub(super) fn cells(&mut self, id: TermId, facet: Facet) -> Option<String> {
        match self.formulas.operator(id).clone() {
            Operator::Constant(constant) => Some(match (&constant.0, facet) {
                (Term::List(items, _), Facet::Cells) => items.len().to_string(),
                (Term::List(_, end), _) => {
                    kind_number(end.as_ref().map_or(Kinds::NIL, |end| Kinds::of(end))).to_string()
                }
                (_, Facet::Cells) => "0".to_string(),
                (term, _) => kind_number(Kinds::of(term)).to_string(),
            }),
            Operator::Cons(_, tail) => {
                let inner = self.facet(tail, facet);
                Some(if facet == Facet::Cells { format!("(+ 1 {inner})") } else { inner })
            }
            Operator::Rest(list, before) if self.is_free(list) => {
                let inner = self.facet(list, facet);
                Some(if facet == Facet::Cells { format!("(- {inner} {before})") } else { inner })
            }
            Operator::Convert(conversion, of) => self.converted_cells(conversion, of, id, facet),
            Operator::RestAt(list, before) => {
                let inner = self.facet(list, facet);
                let before = self.facet(before, Facet::Integer);
                Some(if facet == Facet::Cells { format!("(- {inner} {before})") } else { inner })
            }
            _ if self.kinds(id).meets(Kinds::CONS) => None,
            // A term that is no list has no cells and is its own end.
            _ if facet == Facet::Cells => Some("0".to_string()),
            _ => Some(self.facet(id, Facet::Kind)),
        }
    }

    pub(super) fn bit_size(&mut self, id: TermId) -> Option<String> {
        match self.formulas.operator(id).clone() {
            Operator::Constant(constant) => match &constant.0 {
                Term::Bits(bits) => Some(bits.bit_length().to_string()),
                _ => Some("0".to_string()),
            },
            Operator::BitsSlice { size, .. } => Some(self.facet(size, Facet::Integer)),
            Operator::Convert(
                conversion @ (Conversion::IntegerToBinary | Conversion::FloatToBinary | Conversion::AtomToBinary),
                of,
            ) => {
                let length = self.text_length(conversion, of, id)?;
                Some(format!("(* 8 {length})"))
            }
            Operator::Bits(parts) => {
                let mut sum = vec!["0".to_string()];
                for part in &parts {
                    sum.push(match part.size {
                        Some(size) => self.facet(size, Facet::Integer),
                        None => self.facet(part.value, Facet::BitSize),
                    });
                }
                Some(format!("(+ {})", sum.join(" ")))
            }
            _ => None,
        }
    }
}
