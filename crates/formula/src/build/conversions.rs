//! Constructors of conversions. They know which conversions cancel each other and which always succeed.

use crate::convert::convert;
use crate::kinds::Kinds;
use crate::table::Formulas;
use crate::terms::{Arithmetic, Conversion, Operator, TermId, Test};
use term::{Term, order};

impl Formulas {
    pub fn convert(&mut self, conversion: Conversion, a: TermId) -> TermId {
        if let Operator::Convert(before, x) = *self.operator(a)
            && (undoes(conversion, before) || undone_exactly(before, conversion))
        {
            return x;
        }
        self.folded(Operator::Convert(conversion, a))
    }

    pub fn converts(&mut self, conversion: Conversion, a: TermId) -> TermId {
        let kinds = self.kinds(a);
        if let Operator::Convert(before, _) = *self.operator(a)
            && undoes(conversion, before)
        {
            return self.boolean(true);
        }
        let domain = domain(conversion);
        if !kinds.meets(domain) {
            return self.boolean(false);
        }
        match conversion {
            Conversion::IntegerToList
            | Conversion::IntegerToBinary
            | Conversion::FloatToList
            | Conversion::FloatToBinary
            | Conversion::AtomToList
            | Conversion::AtomToBinary
            | Conversion::TupleToList => self.kind(a, domain),
            Conversion::ListToTuple => self.proper_list(a),
            Conversion::BinaryToList if kinds.within(Kinds::BITS) => {
                let (size, eight, zero) = (self.bit_size(a), self.small(8), self.small(0));
                let odd = self.arithmetic(Arithmetic::Remainder, size, eight);
                self.identical(odd, zero)
            }
            Conversion::ListToInteger
            | Conversion::BinaryToInteger
            | Conversion::ListToFloat
            | Conversion::BinaryToFloat
            | Conversion::ListToAtom
            | Conversion::BinaryToAtom
            | Conversion::BinaryToList
            | Conversion::ListToBinary => self.folded(Operator::Test(Test::Converts(conversion, a))),
        }
    }

    /// Returns the only term that this conversion turns into `constant`: `Some(None)` if there is none, `None` if there
    /// may be several.
    pub(super) fn converted_back(&self, conversion: Conversion, constant: &Term) -> Option<Option<Term>> {
        let back = match conversion {
            Conversion::IntegerToList => Conversion::ListToInteger,
            Conversion::IntegerToBinary => Conversion::BinaryToInteger,
            Conversion::FloatToList => Conversion::ListToFloat,
            Conversion::FloatToBinary => Conversion::BinaryToFloat,
            Conversion::AtomToList => Conversion::ListToAtom,
            Conversion::AtomToBinary => Conversion::BinaryToAtom,
            Conversion::ListToAtom => Conversion::AtomToList,
            Conversion::BinaryToAtom => Conversion::AtomToBinary,
            Conversion::BinaryToList => Conversion::ListToBinary,
            Conversion::TupleToList => Conversion::ListToTuple,
            Conversion::ListToTuple => Conversion::TupleToList,
            Conversion::ListToInteger
            | Conversion::BinaryToInteger
            | Conversion::ListToFloat
            | Conversion::BinaryToFloat
            | Conversion::ListToBinary => return None,
        };
        let Some(value) = convert(back, constant) else { return Some(None) };
        if matches!(value, Term::Float(0.0)) {
            // The two zeros are identical, but not their texts.
            return None;
        }
        let again = convert(conversion, &value);
        Some(again.filter(|again| order::identical(again, constant)).map(|_| value))
    }
}

/// Returns the kinds of terms for which a conversion can have a value.
fn domain(conversion: Conversion) -> Kinds {
    match conversion {
        Conversion::IntegerToList | Conversion::IntegerToBinary => Kinds::INTEGER,
        Conversion::FloatToList | Conversion::FloatToBinary => Kinds::FLOAT,
        Conversion::AtomToList | Conversion::AtomToBinary => Kinds::ATOM,
        Conversion::TupleToList => Kinds::TUPLE,
        Conversion::ListToInteger | Conversion::ListToFloat => Kinds::CONS,
        Conversion::ListToAtom | Conversion::ListToBinary | Conversion::ListToTuple => Kinds::LIST,
        Conversion::BinaryToInteger
        | Conversion::BinaryToFloat
        | Conversion::BinaryToAtom
        | Conversion::BinaryToList => Kinds::BITS,
    }
}

/// Returns whether applying `first` and then `second` to any term gives that term again.
fn undoes(second: Conversion, first: Conversion) -> bool {
    matches!(
        (first, second),
        (Conversion::IntegerToList, Conversion::ListToInteger)
            | (Conversion::IntegerToBinary, Conversion::BinaryToInteger)
            | (Conversion::FloatToList, Conversion::ListToFloat)
            | (Conversion::FloatToBinary, Conversion::BinaryToFloat)
            | (Conversion::AtomToList, Conversion::ListToAtom)
            | (Conversion::AtomToBinary, Conversion::BinaryToAtom)
            | (Conversion::BinaryToList, Conversion::ListToBinary)
            | (Conversion::TupleToList, Conversion::ListToTuple)
    )
}

/// Returns whether applying `first` and then `second` gives the same term wherever `first` has a value, because `first`
/// maps no two terms to one.
fn undone_exactly(first: Conversion, second: Conversion) -> bool {
    matches!(
        (first, second),
        (Conversion::ListToAtom, Conversion::AtomToList)
            | (Conversion::BinaryToAtom, Conversion::AtomToBinary)
            | (Conversion::ListToTuple, Conversion::TupleToList)
    )
}
