//! Counters and atomics: arrays of 64-bit integers that change in place. As one process runs at a time, they need no
//! synchronisation.

use super::process::new_reference;
use super::{badarg, rows};
use crate::runtime::ErlangState;
use machine::{Access, Context, Escape, Kind, LanguageState, Object, Primitive, Word};
use rustc_hash::FxHashMap;
use term::{Atom, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"erts_internal" by Counters;
        "atomics_new" (Any, Any) -> Reference, badarg, atomics_new, Effect;
        "counters_new" (Any) -> Reference, badarg, counters_new, Effect;
        "counters_get" (Any, Any) -> Integer, badarg, get, Effect;
        "counters_add" (Any, Any, Any) -> Atom, badarg, add, Effect;
        "counters_put" (Any, Any, Any) -> Atom, badarg, put, Effect;
        "counters_info" (Any) -> Map from System, badarg, counters_info, Effect;
    },
    rows! {"atomics" by Counters;
        "put" (Any, Any, Any) -> Atom, badarg, put, Effect;
        "get" (Any, Any) -> Integer, badarg, get, Effect;
        "add" (Any, Any, Any) -> Atom, badarg, add, Effect;
        "add_get" (Any, Any, Any) -> Integer, badarg, add_get, Effect;
        "exchange" (Any, Any, Any) -> Integer, badarg, exchange, Effect;
        "compare_exchange" (Any, Any, Any, Any) -> Any, badarg, compare_exchange, Effect;
        "info" (Any) -> Map from System, badarg, atomics_info, Effect;
    },
];

/// Arrays by the number of the reference that names them.
pub type Arrays = FxHashMap<u64, Array>;

#[derive(Clone)]
pub struct Array {
    signed: bool,
    /// The 64 bits of each value; their meaning depends on `signed`.
    values: Vec<u64>,
}

/// Shows all arrays to `see`.
pub fn visit(arrays: &Arrays, see: &mut dyn FnMut(machine::StatePart<'_>)) {
    let mut arrays: Vec<(u64, &Array)> = arrays.iter().map(|(number, array)| (*number, array)).collect();
    arrays.sort_unstable_by_key(|(number, _)| *number);
    see(machine::StatePart::Number(arrays.len() as u64));
    for (number, array) in arrays {
        see(machine::StatePart::Number(number));
        array.values.iter().for_each(|value| see(machine::StatePart::Number(*value)));
    }
}

impl Array {
    /// Returns the bits of a value if the array can hold it.
    fn bits(&self, value: Word) -> Option<u64> {
        let value = value.concrete().as_i128()?;
        if self.signed { i64::try_from(value).ok().map(|value| value as u64) } else { u64::try_from(value).ok() }
    }
}

/// Returns the bits of an increment: any integer that fits into 64 bits, signed or unsigned. Addition wraps around.
fn increment(value: Word) -> Option<u64> {
    let value = value.concrete().as_i128()?;
    i64::try_from(value).map(|value| value as u64).or_else(|_| u64::try_from(value)).ok()
}

fn atomics_new(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(options) = args[1].as_small() else { return Err(badarg(context, args)) };
    new_array(context, args, options & 1 == 1)
}

fn counters_new(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    new_array(context, args, true)
}

fn new_array(context: &mut Context, args: &[Word], signed: bool) -> Result<Word, Escape> {
    let size = match args[0].as_i128() {
        Some(size) if size > i128::from(u64::MAX / 16) => return Err(context.error(names::SYSTEM_LIMIT)),
        Some(size) if size > 0 => size as usize,
        None if args[0].as_limbs().is_some_and(|(negative, _)| !negative) => {
            return Err(context.error(names::SYSTEM_LIMIT));
        }
        _ => return Err(badarg(context, args)),
    };
    let bytes = size.saturating_mul(8).saturating_add(size_of::<(u64, Array)>());
    let beside = ErlangState::of(context).bytes();
    context.heap.ensure_buffer_room(beside.saturating_add(bytes));
    let reference = new_reference(context);
    let state = ErlangState::of(context);
    state.atomics_bytes += bytes;
    state.atomics.insert(reference.identity(), Array { signed, values: vec![0; size] });
    Ok(reference)
}

/// Returns the array that the first argument names, and the position, counted from zero, that the second argument
/// means.
fn cell<'a>(context: &'a mut Context, args: &[Word]) -> Option<(&'a mut Array, usize)> {
    let reference = args[0].is_kind(Kind::Reference).then(|| args[0].identity())?;
    let array = ErlangState::of(context).atomics.get_mut(&reference)?;
    let index = args[1].as_usize()?.checked_sub(1)?;
    (index < array.values.len()).then_some((array, index))
}

/// Announces an operation on an array.
fn touches(context: &mut Context, args: &[Word], access: Access) -> Result<(), Escape> {
    match args[0].is_kind(Kind::Reference) {
        true => context.visible(&[(Object::Table(args[0].identity()), access)]),
        false => Ok(()),
    }
}

fn word(context: &mut Context, signed: bool, bits: u64) -> Word {
    if signed { context.heap.integer(bits as i64) } else { context.heap.integer_u64(bits) }
}

fn put(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    touches(context, args, Access::Write)?;
    match cell(context, args).and_then(|(array, index)| Some((array.bits(args[2])?, array, index))) {
        Some((bits, array, index)) => {
            array.values[index] = bits;
            Ok(names::OK.into())
        }
        None => Err(badarg(context, args)),
    }
}

fn get(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    touches(context, args, Access::Read)?;
    match cell(context, args).map(|(array, index)| (array.signed, array.values[index])) {
        Some((signed, bits)) => Ok(word(context, signed, bits)),
        None => Err(badarg(context, args)),
    }
}

fn add(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    add_get(context, args)?;
    Ok(names::OK.into())
}

fn add_get(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    touches(context, args, Access::Write)?;
    match (cell(context, args), increment(args[2])) {
        (Some((array, index)), Some(increment)) => {
            array.values[index] = array.values[index].wrapping_add(increment);
            let (signed, bits) = (array.signed, array.values[index]);
            Ok(word(context, signed, bits))
        }
        _ => Err(badarg(context, args)),
    }
}

fn exchange(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    touches(context, args, Access::Write)?;
    match cell(context, args).and_then(|(array, index)| Some((array.bits(args[2])?, array, index))) {
        Some((bits, array, index)) => {
            let (signed, old) = (array.signed, std::mem::replace(&mut array.values[index], bits));
            Ok(word(context, signed, old))
        }
        None => Err(badarg(context, args)),
    }
}

fn compare_exchange(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    touches(context, args, Access::Write)?;
    let found =
        cell(context, args).and_then(|(array, index)| Some((array.bits(args[2])?, array.bits(args[3])?, array, index)));
    match found {
        Some((expected, desired, array, index)) if array.values[index] == expected => {
            array.values[index] = desired;
            Ok(names::OK.into())
        }
        Some((_, _, array, index)) => {
            let (signed, bits) = (array.signed, array.values[index]);
            Ok(word(context, signed, bits))
        }
        None => Err(badarg(context, args)),
    }
}

fn counters_info(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match size(context, args[0]) {
        Some((_, size)) => Ok(info(context, size, &[])),
        None => Err(badarg(context, args)),
    }
}

fn atomics_info(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some((signed, size)) = size(context, args[0]) else { return Err(badarg(context, args)) };
    let (min, max) = if signed { (i64::MIN, i64::MAX as u64) } else { (0, u64::MAX) };
    let (min, max) = (context.heap.integer(min), context.heap.integer_u64(max));
    Ok(info(context, size, &[(Atom::new("max").into(), max), (Atom::new("min").into(), min)]))
}

fn size(context: &mut Context, reference: Word) -> Option<(bool, usize)> {
    let number = reference.is_kind(Kind::Reference).then(|| reference.identity())?;
    ErlangState::of(context).atomics.get(&number).map(|array| (array.signed, array.values.len()))
}

fn info(context: &mut Context, size: usize, more: &[(Word, Word)]) -> Word {
    /// Bytes that the BEAM needs besides the values.
    const OVERHEAD: i64 = 40;
    let pairs = [
        (Atom::new("size").into(), Word::small(size as i64)),
        (Atom::new("memory").into(), Word::small(size as i64 * 8 + OVERHEAD)),
    ];
    context.heap.map_of(&[&pairs, more].concat())
}
