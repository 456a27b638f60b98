//! Bounds of the results of arithmetic, and whether an operation always has a result. Conditions that no numbers can
//! satisfy are refuted, with floats as they are and not as reals.
//!
//! The ends are computed in doubles, as the operations themselves are. Rounding keeps the order of numbers, so the ends
//! of sums and products are exact; functions of the mathematical library get some room, and so do integers that doubles
//! cannot distinguish.

use crate::layout::positions::is_position;
use crate::native::sets::float_of_key;
use crate::native::state::Knowledge;
use formula::{Arithmetic, Formulas, Kinds, Numeric, Operator, TermId, Test};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use term::Term;

/// The largest number of terms that are looked at.
const MOST: usize = 4096;
/// The largest number of parts or bits of data, which memory limits.
const LARGEST_SIZE: f64 = (1_u64 << 60) as f64;

#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: f64,
    high: f64,
    /// Whether it is certainly a number, if it has a value, and whether it is certainly an integer.
    number: bool,
    whole: bool,
    /// Whether the operation has a value whenever its operands have one.
    defined: bool,
}

const ANYTHING: Bounds =
    Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY, number: false, whole: false, defined: false };
const ANY_NUMBER: Bounds = Bounds { number: true, ..ANYTHING };

/// Returns whether the condition cannot hold together with the others, whatever the numbers in it are.
pub(crate) fn refutes(formulas: &mut Formulas, state: &Knowledge, others: &[TermId], condition: TermId) -> bool {
    let limits = limits(formulas, others.iter().copied().chain([condition]).collect());
    let Some(bounds) = bounds(formulas, state, &limits, condition) else { return false };
    !possible(formulas, &bounds, condition)
}

/// Returns the bounds that conditions set to terms, if these are numbers.
fn limits(formulas: &Formulas, mut open: Vec<TermId>) -> FxHashMap<TermId, (f64, f64)> {
    let mut limits: FxHashMap<TermId, (f64, f64)> = FxHashMap::default();
    let mut bounded: Vec<(TermId, f64, f64)> = Vec::new();
    let constant = |id: TermId| formulas.as_constant(id).map(of_constant).filter(|bounds| bounds.number);
    while let Some(condition) = open.pop() {
        let (a, b) = match *formulas.operator(condition) {
            Operator::Test(Test::And(a, b)) => {
                open.extend([a, b]);
                continue;
            }
            Operator::Test(Test::Less(a, b)) => (a, b),
            Operator::Test(Test::Not(negated)) => match *formulas.operator(negated) {
                Operator::Test(Test::Less(a, b)) => (b, a),
                _ => continue,
            },
            _ => continue,
        };
        // Either way, the first is not greater than the second. A term below a number is a number.
        if let Some(most) = constant(b) {
            bounded.push((a, f64::NEG_INFINITY, most.high));
        }
        if let Some(least) = constant(a) {
            bounded.push((b, least.low, f64::INFINITY));
        }
    }
    while let Some((id, low, high)) = bounded.pop() {
        let known = limits.entry(id).or_insert((f64::NEG_INFINITY, f64::INFINITY));
        *known = (known.0.max(low), known.1.min(high));
        match *formulas.operator(id) {
            Operator::Numeric(Numeric::Absolute, inner) => bounded.push((inner, -high, high)),
            Operator::Numeric(Numeric::Negate, inner) => bounded.push((inner, -high, -low)),
            _ => {}
        }
    }
    limits
}

/// Returns the bounds of all numbers below a condition.
fn bounds(
    formulas: &mut Formulas,
    state: &Knowledge,
    limits: &FxHashMap<TermId, (f64, f64)>,
    condition: TermId,
) -> Option<FxHashMap<TermId, Bounds>> {
    let mut ids: Vec<TermId> = Vec::new();
    let mut known: FxHashMap<TermId, Bounds> = FxHashMap::default();
    let mut open = vec![condition];
    while let Some(id) = open.pop() {
        if known.insert(id, ANYTHING).is_some() {
            continue;
        }
        ids.push(id);
        if ids.len() > MOST {
            return None;
        }
        if !is_position(formulas, id) {
            formulas.operator(id).each_child(|child| open.push(child));
        }
    }
    // Operands come before the terms made of them.
    ids.sort_unstable();
    for id in ids {
        let of = |id: TermId| known.get(&id).copied().unwrap_or(ANYTHING);
        let found = match *formulas.operator(id) {
            Operator::Constant(ref constant) => of_constant(&constant.0),
            Operator::Arithmetic(operation, a, b) => arithmetic(operation, of(a), of(b), a == b),
            Operator::Numeric(operation, a) => numeric(operation, of(a)),
            _ if is_position(formulas, id) => of_position(formulas, state, id),
            _ => continue,
        };
        let found = match limits.get(&id) {
            Some((low, high)) => found.within(*low, *high),
            None => found,
        };
        known.insert(id, found);
    }
    Some(known)
}

/// Returns `false` only if the condition cannot hold.
fn possible(formulas: &Formulas, bounds: &FxHashMap<TermId, Bounds>, condition: TermId) -> bool {
    let of = |id: TermId| bounds.get(&id).copied().unwrap_or(ANYTHING);
    let numbers = |a: TermId, b: TermId| Some((of(a), of(b))).filter(|(a, b)| a.number && b.number);
    match *formulas.operator(condition) {
        Operator::Test(Test::And(a, b)) => possible(formulas, bounds, a) && possible(formulas, bounds, b),
        Operator::Test(Test::Or(a, b)) => possible(formulas, bounds, a) || possible(formulas, bounds, b),
        Operator::Test(Test::Less(a, b)) => numbers(a, b).is_none_or(|(a, b)| a.low < b.high),
        Operator::Test(Test::Equal(a, b)) | Operator::Test(Test::Identical(a, b)) => {
            numbers(a, b).is_none_or(|(a, b)| a.low <= b.high && b.low <= a.high)
        }
        Operator::Test(Test::Not(negated)) => match *formulas.operator(negated) {
            Operator::Test(Test::Less(a, b)) => numbers(a, b).is_none_or(|(a, b)| a.high >= b.low),
            Operator::Test(Test::Defined(operation)) => !of(operation).defined,
            _ => true,
        },
        _ => true,
    }
}

fn of_constant(term: &Term) -> Bounds {
    let (value, whole) = match term {
        Term::Int(value) => (*value as f64, true),
        Term::Float(value) => (*value, false),
        Term::Big(value) => (value.to_f64().unwrap_or(f64::NAN), true),
        _ => return ANYTHING,
    };
    if value.is_nan() {
        return ANY_NUMBER;
    }
    Bounds { low: value, high: value, number: true, whole, defined: true }.with_room()
}

fn of_position(formulas: &mut Formulas, state: &Knowledge, id: TermId) -> Bounds {
    if !formulas.kinds(id).meets(Kinds::NUMBER) {
        return ANYTHING;
    }
    let set = state.domain(formulas, id);
    let kinds = set.kinds();
    if kinds.is_empty() || !kinds.within(Kinds::NUMBER) {
        return ANYTHING;
    }
    let mut low = f64::INFINITY;
    let mut high = f64::NEG_INFINITY;
    if kinds.meets(Kinds::INTEGER) {
        low = set.integers.least().and_then(ToPrimitive::to_f64).unwrap_or(f64::NEG_INFINITY);
        high = set.integers.most().and_then(ToPrimitive::to_f64).unwrap_or(f64::INFINITY);
    }
    if kinds.meets(Kinds::FLOAT) {
        low = low.min(set.floats.least().and_then(float_of_key).unwrap_or(f64::MIN));
        high = high.max(set.floats.most().and_then(float_of_key).unwrap_or(f64::MAX));
    }
    if matches!(
        formulas.operator(id),
        Operator::Length(_) | Operator::TupleSize(_) | Operator::MapSize(_) | Operator::BitSize(_)
    ) {
        high = high.min(LARGEST_SIZE);
    }
    Bounds { low, high, number: true, whole: kinds.within(Kinds::INTEGER), defined: true }.with_room()
}

impl Bounds {
    /// Narrows the bounds, if they are those of a number.
    fn within(self, low: f64, high: f64) -> Bounds {
        match self.number {
            true => Bounds { low: self.low.max(low), high: self.high.min(high), ..self },
            false => self,
        }
    }

    /// Widens the bounds of large integers, because not all of these are doubles.
    fn with_room(self) -> Bounds {
        if !self.whole || self.low.abs().max(self.high.abs()) < 9e15 {
            return self;
        }
        Bounds { low: self.low.next_down().next_down(), high: self.high.next_up().next_up(), ..self }
    }

    fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    fn size(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    fn has_zero(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }
}

/// Returns the bounds from the least to the greatest of these ends; if an end is not a number, every number is
/// possible.
fn hull(ends: [f64; 4], whole: bool) -> Bounds {
    if ends.iter().any(|end| end.is_nan()) {
        return Bounds { whole, ..ANY_NUMBER };
    }
    let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
    let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Bounds { low, high, number: true, whole, defined: low.is_finite() && high.is_finite() }.with_room()
}

fn arithmetic(operation: Arithmetic, a: Bounds, b: Bounds, same: bool) -> Bounds {
    if !a.number || !b.number {
        return ANY_NUMBER;
    }
    let whole = a.whole && b.whole;
    // Zero times anything is zero, even times infinity.
    let times = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
    match operation {
        Arithmetic::Add | Arithmetic::Subtract => {
            let (low, high) = match operation {
                Arithmetic::Add => (a.low + b.low, a.high + b.high),
                _ => (a.low - b.high, a.high - b.low),
            };
            let sum = hull([low, high, low, high], whole);
            Bounds { defined: whole || sum.defined, ..sum }
        }
        Arithmetic::Multiply => {
            let product =
                hull([times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)], whole);
            // An integer is converted to a float before it is multiplied with one.
            let product = Bounds { defined: whole || product.defined && a.is_finite() && b.is_finite(), ..product };
            match same {
                true => Bounds { low: product.low.max(0.0), ..product },
                false => product,
            }
        }
        Arithmetic::Divide if !b.has_zero() => {
            let quotient = hull([a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high], false);
            Bounds { defined: quotient.defined && a.is_finite() && b.is_finite(), ..quotient }
        }
        Arithmetic::Divide => ANY_NUMBER,
        Arithmetic::Quotient if whole => {
            Bounds { low: -a.size(), high: a.size(), number: true, whole, defined: !b.has_zero() }
        }
        Arithmetic::Remainder if whole => {
            let most = b.size().min(a.size());
            let low = if a.low >= 0.0 { 0.0 } else { -most };
            Bounds { low, high: if a.high <= 0.0 { 0.0 } else { most }, number: true, whole, defined: !b.has_zero() }
        }
        Arithmetic::BitAnd if whole && (a.low >= 0.0 || b.low >= 0.0) => {
            let most = |bounds: Bounds| if bounds.low >= 0.0 { bounds.high } else { f64::INFINITY };
            Bounds { low: 0.0, high: most(a).min(most(b)), number: true, whole, defined: true }
        }
        Arithmetic::BitAnd | Arithmetic::BitOr | Arithmetic::BitXor if whole => {
            Bounds { whole, defined: true, ..ANY_NUMBER }
        }
        Arithmetic::ShiftRight if whole && b.low >= 0.0 => {
            Bounds { low: a.low.min(0.0), high: a.high.max(-1.0), number: true, whole, defined: true }
        }
        Arithmetic::Power => power(a, b),
        Arithmetic::Atan2 => near(-std::f64::consts::PI, std::f64::consts::PI, a.is_finite() && b.is_finite()),
        Arithmetic::FloatRemainder => {
            let most = a.size().min(b.size());
            Bounds { low: -most, high: most, defined: a.is_finite() && b.is_finite() && !b.has_zero(), ..ANY_NUMBER }
        }
        Arithmetic::Quotient
        | Arithmetic::Remainder
        | Arithmetic::BitAnd
        | Arithmetic::BitOr
        | Arithmetic::BitXor
        | Arithmetic::ShiftLeft
        | Arithmetic::ShiftRight => ANY_NUMBER,
    }
}

/// Bounds a power. Even powers are not negative; powers of numbers that may be negative are otherwise not bounded.
fn power(a: Bounds, b: Bounds) -> Bounds {
    let exponent = b.low;
    if b.low == b.high && exponent > 0.0 && exponent % 2.0 == 0.0 {
        let most = formula::c::pow(a.size(), exponent);
        let least = if a.has_zero() { 0.0 } else { formula::c::pow(a.low.abs().min(a.high.abs()), exponent) };
        return near(least, most, most.is_finite());
    }
    // If the base is positive, powers are monotonic in each operand.
    if a.low > 0.0 && a.is_finite() && b.is_finite() {
        let ends = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
        let ends = ends.map(|(a, b)| formula::c::pow(a, b));
        let least = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        return near(least, most, most.is_finite());
    }
    if a.low >= 0.0 { Bounds { low: 0.0, ..ANY_NUMBER } } else { ANY_NUMBER }
}

/// Bounds the result of a library function, which may be slightly wrong, except for zero.
fn near(low: f64, high: f64, defined: bool) -> Bounds {
    const ROOM: f64 = 1e-12;
    let low = if low.is_finite() { low - low.abs() * ROOM } else { f64::NEG_INFINITY };
    let high = high + high.abs() * ROOM;
    Bounds { low, high, number: true, whole: false, defined: defined && high.is_finite() }
}

fn numeric(operation: Numeric, a: Bounds) -> Bounds {
    if !a.number {
        return ANY_NUMBER;
    }
    let rounded = |by: fn(f64) -> f64| match a.whole {
        true => Bounds { defined: true, ..a },
        false => Bounds { low: by(a.low), high: by(a.high), number: true, whole: true, defined: true }.with_room(),
    };
    match operation {
        Numeric::Negate => Bounds { low: -a.high, high: -a.low, defined: true, ..a },
        Numeric::Absolute => {
            let low = if a.has_zero() { 0.0 } else { a.low.abs().min(a.high.abs()) };
            Bounds { low, high: a.size(), defined: true, ..a }
        }
        Numeric::BitNot if a.whole => Bounds { whole: true, defined: true, ..ANY_NUMBER },
        Numeric::BitNot => ANY_NUMBER,
        Numeric::ToFloat => Bounds { whole: false, defined: a.is_finite(), ..a },
        Numeric::Truncate => rounded(f64::trunc),
        Numeric::Round => rounded(f64::round),
        Numeric::Floor => rounded(f64::floor),
        Numeric::Ceiling => rounded(f64::ceil),
        Numeric::Math(name) => math(name, a),
    }
}

fn math(name: &str, a: Bounds) -> Bounds {
    use std::f64::consts::{FRAC_PI_2, PI};
    let finite = a.is_finite();
    let Some(function) = formula::math(name) else { return ANY_NUMBER };
    match name {
        // No result is beyond these ends, even after rounding.
        "sin" | "cos" | "tanh" | "erf" => Bounds { low: -1.0, high: 1.0, number: true, whole: false, defined: finite },
        "erfc" => Bounds { low: 0.0, high: 2.0, number: true, whole: false, defined: finite },
        "atan" => near(-FRAC_PI_2, FRAC_PI_2, finite),
        // `tan` always has a value, because no double is an odd multiple of a right angle.
        "tan" | "asinh" => Bounds { defined: finite, ..ANY_NUMBER },
        "acos" => near(0.0, PI, a.low >= -1.0 && a.high <= 1.0),
        "asin" => near(-FRAC_PI_2, FRAC_PI_2, a.low >= -1.0 && a.high <= 1.0),
        "exp" => near(function(a.low).max(0.0), function(a.high), finite),
        "sqrt" => near(function(a.low.max(0.0)), function(a.high), finite && a.low >= 0.0),
        "log" | "log2" | "log10" if a.low > 0.0 => near(function(a.low), function(a.high), finite),
        "log" | "log2" | "log10" => Bounds { high: near(0.0, function(a.high.max(1.0)), true).high, ..ANY_NUMBER },
        "cosh" => Bounds { low: 1.0 - 1e-12, defined: finite && function(a.size()).is_finite(), ..ANY_NUMBER },
        "sinh" => Bounds { defined: finite && function(a.size()).is_finite(), ..ANY_NUMBER },
        "floor" | "ceil" => Bounds { low: function(a.low), high: function(a.high), defined: finite, whole: false, ..a },
        _ => ANY_NUMBER,
    }
}
