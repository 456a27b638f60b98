//! Integers and their decimal texts, character by character, for texts that are not long; and the texts of known atoms.
//! Longer texts are left free.

use super::encode::{Encoder, Facet, all_of, any_of, kind_number, literal};
use crate::native::sets::integer;
use formula::{Conversion, Kinds, NumberFormat, Operator, TermId};
use num_bigint::BigInt;
use num_traits::{Pow, ToPrimitive};

/// The number of characters that are encoded if the length of the text is not known, and the most in any case.
const USUAL: u32 = 10;
const LONGEST: u32 = 24;
/// The bound of machine integers. Larger items are not characters.
const MACHINE_INTEGER: i64 = 1 << 59;
/// The largest number of atoms whose texts are encoded.
const MOST_ATOMS: usize = 64;

/// A text that is read as a number.
#[derive(Clone)]
pub(super) struct Reading {
    converts: String,
    value: String,
}

impl Encoder<'_> {
    pub(super) fn converts(&mut self, conversion: Conversion, text: TermId) -> String {
        match self.reading(conversion, text) {
            Some(reading) => reading.converts,
            None => {
                let converts = self.free_condition();
                if let Some(long) = self.is_long_enough(conversion, text) {
                    self.line(format_args!("(assert (=> {converts} {long}))"));
                }
                converts
            }
        }
    }

    /// Encodes that a text is long enough for a conversion: no text of a float is shorter than `0.0`.
    fn is_long_enough(&mut self, conversion: Conversion, text: TermId) -> Option<String> {
        let (facet, least) = match conversion {
            Conversion::ListToFloat => (Facet::Cells, 3),
            Conversion::BinaryToFloat => (Facet::BitSize, 24),
            _ => return None,
        };
        Some(format!("(>= {} {least})", self.facet(text, facet)))
    }

    /// Encodes the integer that a text represents.
    pub(super) fn read_integer(&mut self, conversion: Conversion, text: TermId) -> Option<String> {
        self.reading(conversion, text).map(|reading| reading.value)
    }

    fn reading(&mut self, conversion: Conversion, text: TermId) -> Option<Reading> {
        if let Some(reading) = self.readings.get(&(conversion, text)) {
            return Some(reading.clone());
        }
        let list = match conversion {
            Conversion::ListToInteger => true,
            Conversion::BinaryToInteger => false,
            _ => return None,
        };
        let most = if list { self.most_cells(text) } else { self.most_bytes(text) };
        let most = match most {
            Some(most) if most <= LONGEST => most,
            _ => USUAL,
        };
        let tag = format!("{}{}", if list { "l" } else { "y" }, text.number());
        let (is_digit, is_sign, low) = self.characters(text, list, most, &tag);
        let size = self.facet(text, if list { Facet::Cells } else { Facet::BitSize });
        let long = |count: u32| if list { count } else { count * 8 };
        let converts = format!("cv{tag}");
        let value = format!("cd{tag}");
        let mut ways = Vec::new();
        let mut values = Vec::new();
        for count in 1..=most {
            let rest: Vec<String> = is_digit.iter().take(count as usize).skip(1).cloned().collect();
            let mut first = is_digit.first()?.clone();
            if count > 1 {
                first = format!("(or {first} {})", is_sign.first()?);
            }
            ways.push(format!("(and (= {size} {}) {first} {})", long(count), all_of(&rest)));
            let digit = |place: u32| -> Option<String> {
                let weight = BigInt::from(10).pow(count - 1 - place);
                Some(format!("(* {weight} (- {} 48))", low.get(place as usize)?))
            };
            let behind: Option<Vec<String>> = (1..count).map(digit).collect();
            let behind = format!("(+ 0 {})", behind?.join(" "));
            let (sign, lowest) = (is_sign.first()?, low.first()?);
            let first = digit(0)?;
            let number = if count > 1 {
                format!("(ite {sign} (ite (= {lowest} 45) (- {behind}) {behind}) (+ {first} {behind}))")
            } else {
                first
            };
            values.push(format!("(=> (and {converts} (= {size} {})) (= {value} {number}))", long(count)));
        }
        let longer = self.free_condition();
        self.wish(format!("(<= {size} {})", long(most)));
        ways.push(format!("(and (> {size} {}) {longer})", long(most)));
        let kind = if list {
            let end = self.facet(text, Facet::End);
            format!("(= {end} {})", kind_number(Kinds::NIL))
        } else {
            format!("(and {} (= (mod {size} 8) 0))", self.is_kind(text, Kinds::BITS))
        };
        self.line(format_args!("(define-fun {converts} () Bool (and {kind} {}))", any_of(&ways)));
        self.line(format_args!("(declare-const {value} Int)"));
        for value in values {
            self.line(format_args!("(assert {value})"));
        }
        let reading = Reading { converts, value };
        self.readings.insert((conversion, text), reading.clone());
        Some(reading)
    }

    /// Returns for the first characters whether each is a digit, whether it is a sign, and its lowest byte.
    fn characters(
        &mut self,
        text: TermId,
        list: bool,
        most: u32,
        tag: &str,
    ) -> (Vec<String>, Vec<String>, Vec<String>) {
        let (mut is_digit, mut is_sign, mut low) = (Vec::new(), Vec::new(), Vec::new());
        for place in 0..most {
            let character = if list { self.formulas.item(text, place) } else { self.byte(text, place) };
            self.speak_of(character);
            let code = self.facet(character, Facet::Integer);
            // Only the lowest eight bits of an item count, except for signs.
            let (byte, is) = (format!("ch{tag}_{place}"), self.is_kind(character, Kinds::INTEGER));
            let (lowest, fits) = if list {
                let (least, most) = (literal(&(-MACHINE_INTEGER).into()), literal(&MACHINE_INTEGER.into()));
                (
                    format!("(ite (and (<= 0 {code}) (<= {code} 255)) {code} (mod {code} 256))"),
                    format!("(<= {least} {code}) (< {code} {most})"),
                )
            } else {
                (code.clone(), "true".to_string())
            };
            self.line(format_args!("(define-fun {byte} () Int {lowest})"));
            let digit = format!("dg{tag}_{place}");
            self.line(format_args!("(define-fun {digit} () Bool (and {is} {fits} (<= 48 {byte}) (<= {byte} 57)))"));
            is_digit.push(digit);
            is_sign.push(format!("(and {is} (or (= {code} 43) (= {code} 45)))"));
            low.push(byte);
        }
        (is_digit, is_sign, low)
    }

    fn byte(&mut self, bits: TermId, place: u32) -> TermId {
        let (at, size) = (self.formulas.integer(place * 8), self.formulas.integer(8));
        self.formulas.bits_number(bits, at, size, NumberFormat::Integer { signed: false, little: false })
    }

    fn most_bytes(&mut self, bits: TermId) -> Option<u32> {
        let most = crate::layout::positions::is_position(self.formulas, bits).then(|| self.domain(bits))?;
        most.bits.most()?.to_u32().map(|most| most.div_ceil(8))
    }

    /// Encodes the number of characters of the text of an integer, an atom or a float.
    pub(super) fn text_length(&mut self, conversion: Conversion, of: TermId, text: TermId) -> Option<String> {
        match conversion {
            Conversion::IntegerToList | Conversion::IntegerToBinary => {
                let digits = self.digit_count(of);
                let value = self.facet(of, Facet::Integer);
                Some(format!("(+ {digits} (ite (< {value} 0) 1 0))"))
            }
            Conversion::AtomToList | Conversion::AtomToBinary => {
                let name = format!("tl{}", text.number());
                self.line(format_args!("(declare-const {name} Int)"));
                let most = if conversion == Conversion::AtomToList { 255 } else { 4 * 255 };
                self.line(format_args!("(assert (and (<= 0 {name}) (<= {name} {most})))"));
                for (atom, is) in self.known_atoms(of)? {
                    let length = if conversion == Conversion::AtomToList { atom.chars().count() } else { atom.len() };
                    self.line(format_args!("(assert (=> {is} (= {name} {length})))"));
                }
                Some(name)
            }
            Conversion::FloatToList | Conversion::FloatToBinary => {
                // A digit, a point, twenty digits, and an exponent of two or three digits; perhaps a sign.
                let name = format!("tl{}", text.number());
                self.line(format_args!("(declare-const {name} Int)"));
                self.line(format_args!("(assert (and (<= 26 {name}) (<= {name} 28)))"));
                Some(name)
            }
            _ => None,
        }
    }

    /// Encodes the number of items of a list that a conversion makes, and that it ends with `[]`.
    pub(super) fn converted_cells(
        &mut self,
        conversion: Conversion,
        of: TermId,
        list: TermId,
        facet: Facet,
    ) -> Option<String> {
        match (conversion, facet) {
            (Conversion::ListToInteger | Conversion::BinaryToInteger, _) => None,
            (_, Facet::End) if self.kinds(list).within(Kinds::LIST) => Some(kind_number(Kinds::NIL).to_string()),
            (Conversion::BinaryToList, _) => Some(format!("(div {} 8)", self.facet(of, Facet::BitSize))),
            (Conversion::TupleToList, _) => Some(self.facet(of, Facet::TupleSize)),
            (Conversion::IntegerToList | Conversion::FloatToList | Conversion::AtomToList, _) => {
                self.text_length(conversion, of, list)
            }
            _ => None,
        }
    }

    /// Encodes the character at a place of the text of an integer or of an atom.
    pub(super) fn text_character(&mut self, id: TermId) -> Option<String> {
        let (text, place) = match *self.formulas.operator(id) {
            Operator::Item(list, index) => (list, index),
            Operator::BitsNumber { bits, at, size, format: NumberFormat::Integer { signed: false, .. } } => {
                let number = |this: &Self, id: TermId| this.formulas.as_constant(id).and_then(integer)?.to_u32();
                let (at, size) = (number(self, at)?, number(self, size)?);
                (at % 8 == 0 && size == 8).then_some((bits, at / 8))?
            }
            _ => return None,
        };
        let Operator::Convert(conversion, of) = *self.formulas.operator(text) else { return None };
        let name = format!("tc{}", id.number());
        match conversion {
            Conversion::IntegerToList | Conversion::IntegerToBinary if place <= LONGEST => {
                let digits = self.digit_count(of);
                let value = self.facet(of, Facet::Integer);
                let magnitude = format!("(ite (>= {value} 0) {value} (- {value}))");
                let most = self.most_digits(of);
                self.line(format_args!("(declare-const {name} Int)"));
                self.line(format_args!(
                    "(assert (ite (and (< {value} 0) (= {place} 0)) (= {name} 45) (and (<= 48 {name}) (<= {name} 57))))"
                ));
                for count in 1..=most {
                    for (sign, at) in [(0, place.checked_sub(0)), (1, place.checked_sub(1))] {
                        let Some(at) = at.filter(|at| *at < count) else { continue };
                        let weight = BigInt::from(10).pow(count - 1 - at);
                        let is = if sign == 1 { format!("(< {value} 0)") } else { format!("(>= {value} 0)") };
                        self.line(format_args!(
                            "(assert (=> (and {is} (= {digits} {count})) (= {name} (+ 48 (mod (div {magnitude} {weight}) 10)))))"
                        ));
                    }
                }
                Some(name)
            }
            Conversion::AtomToList | Conversion::AtomToBinary => {
                self.line(format_args!("(declare-const {name} Int)"));
                let most = if conversion == Conversion::AtomToList { 0x10_ffff } else { 255 };
                self.line(format_args!("(assert (and (<= 0 {name}) (<= {name} {most})))"));
                for (atom, is) in self.known_atoms(of)? {
                    let code = match conversion {
                        Conversion::AtomToList => atom.chars().nth(place as usize).map(u32::from),
                        _ => atom.as_bytes().get(place as usize).map(|byte| u32::from(*byte)),
                    };
                    if let Some(code) = code {
                        self.line(format_args!("(assert (=> {is} (= {name} {code})))"));
                    }
                }
                Some(name)
            }
            _ => None,
        }
    }

    /// Returns the atoms that have ranks, each with the condition that the term is this atom.
    fn known_atoms(&mut self, of: TermId) -> Option<Vec<(&'static str, String)>> {
        let (kind, atom) = (self.is_kind(of, Kinds::ATOM), self.facet(of, Facet::Atom));
        if self.ranks().len() > MOST_ATOMS {
            return Some(Vec::new());
        }
        Some(self.ranks().iter().map(|(text, rank)| (*text, format!("(and {kind} (= {atom} {rank}))"))).collect())
    }

    fn most_digits(&mut self, of: TermId) -> u32 {
        let bits = self.range(of).bits();
        // A decimal digit carries more than three bits.
        bits.and_then(|bits| u32::try_from(bits / 3 + 1).ok()).unwrap_or(USUAL).min(LONGEST)
    }

    /// Encodes the number of digits of an integer, which is exact up to a certain number of digits.
    fn digit_count(&mut self, of: TermId) -> String {
        let name = format!("dc{}", of.number());
        if !self.counted.insert(of) {
            return name;
        }
        let value = self.facet(of, Facet::Integer);
        let most = self.most_digits(of);
        self.line(format_args!("(declare-const {name} Int)"));
        let mut definition = format!("(> {name} {most})");
        for count in (1..=most).rev() {
            let bound = BigInt::from(10).pow(count);
            definition =
                format!("(ite (and (< {value} {bound}) (< (- {bound}) {value})) (= {name} {count}) {definition})");
        }
        self.line(format_args!("(assert {definition})"));
        name
    }
}
