//! Small facts about values: inverses of conversions, terms that can be converted, neighbours of a term.

use formula::Conversion;
use num_bigint::BigInt;
use term::{Term, order};

pub(crate) fn inverse(conversion: Conversion) -> Conversion {
    match conversion {
        Conversion::IntegerToList => Conversion::ListToInteger,
        Conversion::ListToInteger => Conversion::IntegerToList,
        Conversion::IntegerToBinary => Conversion::BinaryToInteger,
        Conversion::BinaryToInteger => Conversion::IntegerToBinary,
        Conversion::FloatToList => Conversion::ListToFloat,
        Conversion::ListToFloat => Conversion::FloatToList,
        Conversion::FloatToBinary => Conversion::BinaryToFloat,
        Conversion::BinaryToFloat => Conversion::FloatToBinary,
        Conversion::AtomToList => Conversion::ListToAtom,
        Conversion::ListToAtom => Conversion::AtomToList,
        Conversion::AtomToBinary => Conversion::BinaryToAtom,
        Conversion::BinaryToAtom => Conversion::AtomToBinary,
        Conversion::BinaryToList => Conversion::ListToBinary,
        Conversion::ListToBinary => Conversion::BinaryToList,
        Conversion::TupleToList => Conversion::ListToTuple,
        Conversion::ListToTuple => Conversion::TupleToList,
    }
}

/// Returns small terms of the conversion's domain, some of which can be converted and some not.
pub(crate) fn samples(conversion: Conversion) -> Vec<Term> {
    let texts = ["0", "0.0", "a", "", "-", "é", "\u{400}"];
    let improper = || Term::list_with_tail(vec![Term::Int(0)], Term::Int(0));
    match conversion {
        Conversion::IntegerToList | Conversion::IntegerToBinary => vec![Term::Int(0)],
        Conversion::FloatToList | Conversion::FloatToBinary => vec![Term::Float(0.0)],
        Conversion::AtomToList | Conversion::AtomToBinary => vec![Term::atom("a")],
        Conversion::ListToInteger | Conversion::ListToFloat | Conversion::ListToAtom => {
            let long = "a".repeat(256);
            let texts = texts.iter().map(|text| Term::string(text));
            texts.chain([Term::list([Term::Int(-1)]), improper(), Term::string(&long)]).collect()
        }
        Conversion::BinaryToInteger | Conversion::BinaryToFloat | Conversion::BinaryToAtom => {
            let texts = texts.iter().map(|text| Term::binary(text.as_bytes()));
            texts.chain([Term::binary([0xff]), Term::binary("a".repeat(256).as_bytes())]).collect()
        }
        Conversion::BinaryToList => {
            vec![Term::binary([]), Term::Bits(term::Bits::new(vec![0], 1))]
        }
        Conversion::ListToBinary => {
            vec![
                Term::Nil,
                Term::list([Term::Int(0)]),
                Term::list([Term::Int(-1)]),
                Term::list([Term::atom("a")]),
                improper(),
            ]
        }
        Conversion::TupleToList => vec![Term::tuple([])],
        Conversion::ListToTuple => vec![Term::Nil, improper()],
    }
}

/// Returns terms of the same length as this one, which may or may not be convertible.
pub(crate) fn alike(conversion: Conversion, term: &Term) -> Vec<Term> {
    const SURROGATE: i64 = 0xd800;
    let (length, last) = match (conversion, term) {
        (Conversion::ListToAtom, Term::List(items, None)) => (items.len(), SURROGATE),
        (Conversion::ListToInteger | Conversion::ListToFloat, Term::List(items, None)) => {
            (items.len(), i64::from(b'x'))
        }
        (Conversion::BinaryToAtom, Term::Bits(bits)) => (bits.bytes().len(), 0xff),
        (Conversion::BinaryToInteger | Conversion::BinaryToFloat, Term::Bits(bits)) => {
            (bits.bytes().len(), i64::from(b'x'))
        }
        _ => return Vec::new(),
    };
    let spoilt = match term {
        Term::List(items, _) => {
            let kept = items.iter().take(length.saturating_sub(1)).cloned();
            Some(Term::list(kept.chain([Term::Int(last)]).collect::<Vec<_>>()))
        }
        Term::Bits(bits) if length > 0 => {
            let kept = bits.bytes().iter().take(length - 1).copied();
            Some(Term::binary(kept.chain([last as u8]).collect::<Vec<_>>()))
        }
        _ => None,
    };
    let float = length.checked_sub(2).filter(|digits| *digits > 0).map(|digits| format!("0.{}", "0".repeat(digits)));
    let text = match conversion {
        Conversion::ListToFloat => float.map(|text| Term::string(&text)),
        Conversion::BinaryToFloat => float.map(|text| Term::binary(text.as_bytes())),
        _ => None,
    };
    spoilt.into_iter().chain(text).collect()
}

/// Returns terms close to this one: the ones just before and after it, and others unlike it.
pub(crate) fn neighbours(term: &Term) -> Vec<Term> {
    match term {
        Term::Int(_) | Term::Big(_) => {
            let value = crate::native::sets::integer(term).unwrap_or(BigInt::ZERO);
            vec![Term::integer(&value - 1), Term::integer(value + 1)]
        }
        Term::Float(value) => {
            let around = [value - 1.0, value + 1.0, value / 2.0, value * 2.0];
            around.into_iter().filter(|other| other.is_finite() && other != value).map(Term::Float).collect()
        }
        Term::Atom(atom) => {
            let text = atom.text();
            let mut found = vec![Term::atom(&format!("{text}a"))];
            let mut shorter = text.to_string();
            if let Some(last) = shorter.pop() {
                if last > 'a' && last <= 'z' {
                    let before = char::from_u32(last as u32 - 1).unwrap_or('a');
                    found.push(Term::atom(&format!("{shorter}{before}")));
                }
                found.push(Term::atom(&shorter));
            }
            found.push(Term::Int(0));
            found
        }
        Term::Nil => vec![Term::list([Term::Int(0)]), Term::Map([].into())],
        Term::List(items, end) => {
            let end = end.as_ref().map_or(Term::Nil, |end| Term::clone(end));
            let mut found = Vec::new();
            let with = |index: usize, item: Term| {
                let mut items = items.to_vec();
                if let Some(place) = items.get_mut(index) {
                    *place = item;
                }
                Term::list_with_tail(items, end.clone())
            };
            if let Some(last) = items.last() {
                found.extend(neighbours(last).into_iter().take(2).map(|item| with(items.len() - 1, item)));
            }
            found.push(Term::list_with_tail(items.iter().take(items.len() - 1).cloned().collect(), end.clone()));
            found.push(Term::list_with_tail(items.to_vec(), Term::list([Term::Int(0)])));
            found
        }
        Term::Tuple(items) => {
            let mut found = Vec::new();
            for (index, item) in items.iter().enumerate().take(2) {
                for other in neighbours(item).into_iter().take(2) {
                    let mut items = items.to_vec();
                    if let Some(place) = items.get_mut(index) {
                        *place = other;
                    }
                    found.push(Term::tuple(items));
                }
            }
            let mut more = items.to_vec();
            more.push(Term::Int(0));
            found.push(Term::tuple(more));
            found.push(Term::tuple(items.iter().take(items.len().saturating_sub(1)).cloned().collect::<Vec<_>>()));
            found
        }
        Term::Map(pairs) => {
            let mut found: Vec<Term> = vec![Term::Map([].into())];
            if let Some((key, value)) = pairs.first() {
                for other in neighbours(value).into_iter().take(2) {
                    let mut pairs = pairs.to_vec();
                    if let Some(first) = pairs.first_mut() {
                        *first = (key.clone(), other);
                    }
                    found.push(Term::Map(pairs.into()));
                }
            } else {
                found.push(Term::Map([(Term::Int(0), Term::Int(0))].into()));
            }
            found
        }
        Term::Bits(bits) => {
            let mut found = Vec::new();
            let bytes = bits.bytes();
            for change in [1u8, 255] {
                let mut bytes = bytes.to_vec();
                if let Some(last) = bytes.last_mut() {
                    *last = last.wrapping_add(change);
                    found.push(Term::Bits(term::Bits::new(bytes, bits.bit_length())));
                }
            }
            let mut longer = bytes.to_vec();
            longer.push(0);
            found.push(Term::Bits(term::Bits::new(longer, bits.bit_length() + 8)));
            if let Some(shorter) = bits.bit_length().checked_sub(8) {
                found.push(Term::Bits(term::Bits::new(bytes.to_vec(), shorter)));
            }
            found
        }
        Term::Fun(fun) => vec![Term::input_function(fun.arity() + 1)],
        Term::Pid(number) => vec![Term::Pid(number + 1)],
        Term::Reference(number) => vec![Term::Reference(number + 1)],
        Term::Port(number) => vec![Term::Port(number + 1)],
    }
    .into_iter()
    .filter(|other| !order::identical(term, other))
    .collect()
}
