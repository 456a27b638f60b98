//! Operations that show a program what is determined only by identity or hashing: the numbers of pids, references and
//! ports, and the order of maps. Comparing for equality, looking up and counting show neither.

use super::process;
use crate::otp;
use machine::{Context, Kind, Word, World};
use path::Surrounding;

/// The number of parts that are searched before the answer is assumed to be yes: parts can be shared so often that a
/// search would never end.
const MOST_PARTS: usize = 1 << 20;

/// Records that all of a term becomes visible, for example by its hash: the numbers of identities in it count.
pub(super) fn numbers(context: &mut Context, term: Word) {
    if context.heap.may_show_identities() && any_part(term, &|part| is_identity(part)) {
        context.asks(Surrounding::Identities);
    }
    if any_part(term, &|part| part.is_kind(Kind::Closure)) {
        context.asks(Surrounding::Compilation);
    }
}

/// Records that all of a term becomes visible, for example as bytes, including the order of its maps.
pub(super) fn bytes(context: &mut Context, term: Word) {
    numbers(context, term);
    if any_part(term, &|part| part.is_map() && !has_fixed_order(part)) {
        context.asks(Surrounding::HashOrder);
    }
}

/// Records that the keys of a map are listed.
pub(super) fn order_of_map(context: &mut Context, map: Word) {
    if !has_fixed_order(map) {
        context.asks(Surrounding::HashOrder);
    }
    // Small maps are in the order of their keys, so the numbers of identities show only if two keys contain some.
    if context.heap.may_show_identities() && map.map_is_small() && map.map_size() > 1 {
        let with_identities = map.map_iter().filter(|(key, _)| any_part(*key, &is_identity));
        if with_identities.take(2).count() == 2 {
            context.asks(Surrounding::Identities);
        }
    }
}

/// Records that two terms are put into order.
pub(super) fn order_of(context: &mut Context, a: Word, b: Word) {
    if context.heap.may_show_identities() && crate::order::is_arbitrary(a, b) {
        context.asks(Surrounding::Identities);
    }
}

/// Returns whether the order of a map's keys is fixed. Small maps are in the order of their keys; since OTP 26, atoms
/// among them are in the order of their numbers in the runtime, which differ from start to start.
fn has_fixed_order(map: Word) -> bool {
    if !map.map_is_small() {
        return false;
    }
    !otp::orders_keys_by_atom_numbers()
        || map.map_iter().filter(|(key, _)| key.concrete().is_atom()).take(2).count() < 2
}

/// Returns whether a value holds a reference or the pid of a process that the run has made. What comes from an input may be known
/// to others.
pub(super) fn holds_own_identity(context: &mut Context, value: Word) -> bool {
    let mut open = vec![value];
    let mut seen = 0;
    while let Some(part) = open.pop() {
        seen += 1;
        if seen > MOST_PARTS {
            return false;
        }
        match part.kind() {
            Some(Kind::Reference) if World::is_reference_of_run(&context.process, part.identity()) => return true,
            Some(Kind::Pid) if process::is_child(context, part.identity()) => return true,
            Some(Kind::Tuple) => open.extend_from_slice(part.payload()),
            _ if part.is_cons() => open.extend([part.head(), part.tail()]),
            _ => {}
        }
    }
    false
}

/// Returns whether a part of a term is a pid, a reference or a port.
pub(super) fn holds_identity(term: Word) -> bool {
    !term.is_immediate() && any_part(term, &is_identity)
}

fn is_identity(word: Word) -> bool {
    matches!(word.kind(), Some(Kind::Pid | Kind::Reference | Kind::Port))
}

fn any_part(term: Word, holds: &dyn Fn(Word) -> bool) -> bool {
    let mut open = vec![term];
    let mut seen = 0;
    while let Some(part) = open.pop() {
        let mut part = part.concrete();
        while part.is_cons() {
            open.push(part.head());
            part = part.tail().concrete();
            seen += 1;
            if seen > MOST_PARTS {
                return true;
            }
        }
        if part.is_immediate() {
            continue;
        }
        seen += 1;
        if seen > MOST_PARTS || holds(part) {
            return true;
        }
        match part.kind() {
            Some(Kind::Tuple) => open.extend_from_slice(part.payload()),
            Some(Kind::SmallMap | Kind::LargeMap) => {
                part.map_iter().for_each(|(key, value)| open.extend([key, value]));
            }
            Some(Kind::Closure) => open.extend_from_slice(part.payload()),
            Some(
                Kind::Float
                | Kind::Big
                | Kind::Bits
                | Kind::BitsSlice
                | Kind::External
                | Kind::Pid
                | Kind::Reference
                | Kind::Port
                | Kind::MapNode
                | Kind::MapCollision
                | Kind::Trace,
            )
            | None => {}
        }
    }
    false
}
