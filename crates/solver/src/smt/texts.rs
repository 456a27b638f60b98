//! Texts of integers whose characters are known one by one.

use super::encode::{Encoder, Facet, all_of, any_of, kind_number};
use crate::state::spine;
use formula::{Conversion, Kinds, NumberFormat, Operator, TermId};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use term::Term;

/// Longer texts are left to guesses.
const LONGEST: usize = 24;
const BYTE: NumberFormat = NumberFormat::Integer { signed: false, little: false };

struct Text {
    characters: Vec<TermId>,
    /// The list that must end with `[]`, if that is not known.
    open: Option<TermId>,
}

impl Encoder<'_> {
    /// Is the text one of an integer? `None`: that cannot be said here.
    pub(super) fn is_number_text(&mut self, conversion: Conversion, text: TermId) -> Option<String> {
        let Text { characters, open } = self.text_of(conversion, text)?;
        let Some((first, rest)) = characters.split_first() else { return Some("false".to_string()) };
        let mut digits: Vec<String> = rest.iter().map(|character| self.is_digit(*character)).collect();
        let mut starts = vec![self.is_digit(*first)];
        if !rest.is_empty() {
            // A sign is known by its full code, digits by their bytes.
            let whole = self.is_kind(*first, Kinds::INTEGER);
            let first = self.facet(*first, Facet::Integer);
            starts.push(format!("(and {whole} (or (= {first} {PLUS}) (= {first} {MINUS})))"));
        }
        digits.push(any_of(&starts));
        if let Some(list) = open {
            let end = self.facet(list, Facet::End);
            digits.push(format!("(= {end} {})", kind_number(Kinds::NIL)));
        }
        Some(all_of(&digits))
    }

    /// The integer that the text says, if it says one.
    pub(super) fn number_of_text(&mut self, conversion: Conversion, text: TermId) -> Option<String> {
        let Text { characters, .. } = self.text_of(conversion, text)?;
        let (first, rest) = characters.split_first()?;
        let mut sum = Vec::new();
        let mut weight = BigInt::from(1);
        for character in rest.iter().rev() {
            let (_, digit) = self.byte_of(*character);
            sum.push(format!("(* {weight} (- {digit} {ZERO}))"));
            weight *= 10;
        }
        let rest = if sum.is_empty() { "0".to_string() } else { format!("(+ 0 {})", sum.join(" ")) };
        let (_, digit) = self.byte_of(*first);
        let first = self.facet(*first, Facet::Integer);
        let unsigned = format!("(+ {rest} (* {weight} (- {digit} {ZERO})))");
        Some(format!("(ite (= {first} {MINUS}) (- {rest}) (ite (= {first} {PLUS}) {rest} {unsigned}))"))
    }

    fn is_digit(&mut self, character: TermId) -> String {
        let (is_one, value) = self.byte_of(character);
        format!("(and {is_one} (<= {ZERO} {value}) (<= {value} {NINE}))")
    }

    /// Whether it is a character at all, and the byte that it is known by.
    fn byte_of(&mut self, character: TermId) -> (String, String) {
        let whole = self.is_kind(character, Kinds::INTEGER);
        let value = self.facet(character, Facet::Integer);
        let known = match self.formulas.as_constant(character) {
            Some(constant) => constant.as_int().is_some_and(|value| (0..256).contains(&value)),
            None => {
                let possible = crate::positions::is_position(self.formulas, character);
                let numbers = possible.then(|| self.state.domain(self.formulas, character).integers);
                numbers.is_some_and(|numbers| {
                    numbers.least().is_some_and(|least| *least >= BigInt::ZERO)
                        && numbers.most().is_some_and(|most| *most < BigInt::from(256))
                })
            }
        };
        if known {
            return (whole, value);
        }
        let small = BigInt::from(1) << SMALL_BITS;
        let is_one = format!("(and {whole} (<= (- {small}) {value}) (< {value} {small}))");
        (is_one, format!("(mod {value} 256)"))
    }

    fn text_of(&mut self, conversion: Conversion, text: TermId) -> Option<Text> {
        let text = match conversion {
            Conversion::ListToInteger => self.list_of(text),
            Conversion::BinaryToInteger => self.bytes_of(text),
            _ => None,
        }?;
        text.characters.iter().for_each(|character| self.speak_of_position(*character));
        Some(text)
    }

    fn list_of(&mut self, list: TermId) -> Option<Text> {
        let mut characters = Vec::new();
        let mut rest = list;
        while let Operator::Cons(head, tail) = *self.formulas.operator(rest) {
            characters.push(head);
            rest = tail;
            if characters.len() > LONGEST {
                return None;
            }
        }
        let mut open = None;
        match self.formulas.operator(rest) {
            Operator::Constant(constant) => match &constant.0 {
                Term::Nil => {}
                Term::List(items, None) if items.len() <= LONGEST => {
                    let items = items.clone();
                    characters.extend(items.iter().map(|item| self.formulas.constant(item.clone())));
                }
                _ => return None,
            },
            Operator::Convert(Conversion::BinaryToList, bits) => {
                let bits = *bits;
                characters.extend(self.bytes_of(bits)?.characters);
            }
            _ if crate::positions::is_position(self.formulas, rest) => {
                let (whole, before) = spine(self.formulas, rest);
                let length = self.formulas.length(whole);
                let count = self.state.domain(self.formulas, length).integers;
                let only = count.least().filter(|least| count.most() == Some(*least))?;
                let count = (only - before).to_u32().filter(|count| *count as usize <= LONGEST)?;
                characters.extend((0..count).map(|index| self.formulas.item(rest, index)));
                open = Some(whole);
            }
            _ => return None,
        }
        (characters.len() <= LONGEST).then_some(Text { characters, open })
    }

    fn bytes_of(&mut self, bits: TermId) -> Option<Text> {
        let size = self.formulas.bit_size(bits);
        let size = self.formulas.as_constant(size)?.as_int()?;
        if size % 8 != 0 || size > 8 * LONGEST as i64 {
            return None;
        }
        let byte = |index: i64| {
            let (at, size) = (self.formulas.integer(8 * index), self.formulas.integer(8));
            self.formulas.bits_number(bits, at, size, BYTE)
        };
        Some(Text { characters: (0..size / 8).map(byte).collect(), open: None })
    }

    fn speak_of_position(&mut self, id: TermId) {
        if crate::positions::is_position(self.formulas, id) {
            self.speak_of(id);
        }
    }
}

/// Larger integers are no characters.
const SMALL_BITS: u32 = 59;
const ZERO: u32 = '0' as u32;
const NINE: u32 = '9' as u32;
const PLUS: u32 = '+' as u32;
const MINUS: u32 = '-' as u32;
