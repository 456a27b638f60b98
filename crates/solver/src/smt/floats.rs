//! Texts that are read as floats: which they are, character by character, for texts that are not long.
//! What number it is, is left free.

use super::digits::{Characters, Reading};
use super::encode::{Encoder, Facet, all_of, any_of};
use formula::{Conversion, Kinds, TermId};

/// `0.0`.
const SHORTEST: u32 = 3;

/// What a text can be up to a character, as names of conditions.
#[derive(Default)]
struct Prefix {
    sign: Option<String>,
    whole: Option<String>,
    point: Option<String>,
    fraction: Option<String>,
    exponent: Option<String>,
    exponent_sign: Option<String>,
    /// With one digit of the exponent, with two, and with more: these may be too large for a float.
    digits: [Option<String>; 3],
}

impl Encoder<'_> {
    /// Can the text be read as a float?
    pub(super) fn converts_to_float(&mut self, conversion: Conversion, text: TermId) -> String {
        if let Some(reading) = self.readings.get(&(conversion, text)) {
            return reading.converts.clone();
        }
        let list = conversion == Conversion::ListToFloat;
        let most = self.most_characters(text, list);
        let tag = format!("{}{}", if list { "fl" } else { "fy" }, text.number());
        let Characters { is_digit, is_sign, low } = self.characters(text, list, most, &tag);
        let usual: Vec<String> = (0..most).map(|place| self.is_usual(text, list, place)).collect();
        let (unusual, large, longer) = (self.free_condition(), self.free_condition(), self.free_condition());
        let size = self.facet(text, if list { Facet::Cells } else { Facet::BitSize });
        let long = |count: u32| if list { count } else { count * 8 };
        let mut ways = Vec::new();
        let mut before = Prefix::default();
        for (place, ((digit, sign), byte)) in is_digit.iter().zip(&is_sign).zip(&low).enumerate() {
            before = self.read_on(&before, &format!("{tag}_{place}"), place == 0, [digit, sign, byte]);
            let count = place as u32 + 1;
            if count < SHORTEST {
                continue;
            }
            let [one, two, more] = &before.digits;
            let more = more.as_ref().map(|more| format!("(and {more} {large})"));
            let read: Vec<String> =
                [before.fraction.clone(), one.clone(), two.clone(), more].into_iter().flatten().collect();
            let usual = all_of(&usual[..=place]);
            ways.push(format!("(and (= {size} {}) (ite {usual} {} {unusual}))", long(count), any_of(&read)));
        }
        self.wish(format!("(<= {size} {})", long(most)));
        ways.push(format!("(and (> {size} {}) {longer})", long(most.max(SHORTEST - 1))));
        let converts = format!("cv{tag}");
        let kind = self.is_text(text, list);
        self.line(format_args!("(define-fun {converts} () Bool (and {kind} {}))", any_of(&ways)));
        self.readings.insert((conversion, text), Reading { converts: converts.clone(), value: String::new() });
        converts
    }

    /// Other items of lists, and zeros, which end texts, are read in ways of their own.
    fn is_usual(&mut self, text: TermId, list: bool, place: u32) -> String {
        let character = self.character(text, list, place);
        let (is, code) = (self.is_kind(character, Kinds::INTEGER), self.facet(character, Facet::Integer));
        format!("(and {is} (<= 1 {code}) (<= {code} 255))")
    }

    fn read_on(&mut self, before: &Prefix, tag: &str, is_first: bool, [digit, sign, byte]: [&str; 3]) -> Prefix {
        let mut next = |name: &str, is: &str, after: &[&Option<String>], first: bool| -> Option<String> {
            let after: Vec<String> = after.iter().copied().flatten().cloned().collect();
            if after.is_empty() && !first {
                return None;
            }
            let name = format!("{name}{tag}");
            let allowed = if first { "true".to_string() } else { any_of(&after) };
            self.line(format_args!("(define-fun {name} () Bool (and {is} {allowed}))"));
            Some(name)
        };
        let point = format!("(or (= {byte} 46) (= {byte} 44))");
        let letter = format!("(or (= {byte} 101) (= {byte} 69))");
        let [one, two, more] = &before.digits;
        Prefix {
            sign: next("fs", sign, &[], is_first),
            whole: next("fw", digit, &[&before.sign, &before.whole], is_first),
            point: next("fp", &point, &[&before.whole], false),
            fraction: next("ff", digit, &[&before.point, &before.fraction], false),
            exponent: next("fe", &letter, &[&before.fraction], false),
            exponent_sign: next("fg", sign, &[&before.exponent], false),
            digits: [
                next("fx", digit, &[&before.exponent, &before.exponent_sign], false),
                next("fy", digit, &[one], false),
                next("fz", digit, &[two, more], false),
            ],
        }
    }
}
