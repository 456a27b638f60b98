//! Runs calls of code with events, and reports which clauses its processes chose and how the call ended.

use crate::answer::{atom_named, bytes_of};
use crate::child::protocol;
use crate::evaluate::{LONGEST_GRACE, SHORTEST_GRACE, decode_outcome, describe, encode_call, millis};
use crate::role::Role;
use crate::{Call, Condition, Limits, Next, Oracle, OracleError, Outcome, Wait};
use std::collections::BTreeMap;
use term::{Atom, FunctionName, Term, names};

/// The results of a call of code with events.
#[derive(Clone, Debug, PartialEq)]
pub struct Traced {
    pub outcome: Outcome,
    /// The numbers of the clauses that the main process chose, in order.
    pub events: Vec<u64>,
    /// Whether these are all events. If not, there were more than the limit, or the runtime ended before it reported
    /// them.
    pub is_whole: bool,
    /// The values and messages from outside of the program that the main process received, in order.
    pub outside: Vec<FromOutside>,
    /// The other processes that the call has started, directly or not.
    pub others: Vec<TracedProcess>,
    /// Whether all processes waited when the time of the call was over.
    pub is_waiting: bool,
    /// The conductor's report on the order that was to be forced: `followed`, or where it was left.
    pub order: Option<Term>,
}

/// A process that was started by a traced call.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedProcess {
    /// The numbers that identify it: `[2, 1]` is the first process that was started by the second one of the main
    /// process.
    pub path: Vec<u32>,
    /// The numbers of the clauses that it chose, in order.
    pub events: Vec<u64>,
    /// The reason of its end. `None` if it was still alive when the main process had ended and all others waited.
    pub end: Option<Term>,
}

/// A value or message that came from outside of the program.
#[derive(Clone, Debug, PartialEq)]
pub enum FromOutside {
    Call {
        function: FunctionName,
        args: Vec<Term>,
        ended: OutsideEnd,
    },
    /// A message that a port or a socket sent.
    Message(Term),
}

#[derive(Clone, Debug, PartialEq)]
pub enum OutsideEnd {
    Returned(Term),
    Raised { class: Atom, reason: Term },
}

/// The outside functions that traced code may call. The runtime reports their calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    pub functions: Vec<FunctionName>,
    /// Modules whose native functions may be called.
    pub natives: Vec<Atom>,
}

/// Returns a digest of the way in which events with values are added to code, for caches of such code.
pub fn narration() -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(include_bytes!("beagle_trace.hrl")).update(include_bytes!("beagle_telling.hrl"));
    hasher.finalize().to_hex().to_string()
}

/// The number of bits that an event's number has below the number of its module. The readers of events use the same
/// number.
const BITS_IN_MODULE: u32 = 20;

impl Oracle {
    /// Evaluates a call of code with events. After about `most` events, no more are reported. `schedule`: the order of
    /// operations that is forced, as the conductor reads it.
    pub fn trace(
        &self,
        call: &Call,
        limits: Limits,
        most: u64,
        allowed: &Allowed,
        schedule: Option<&Term>,
    ) -> Result<Traced, OracleError> {
        let role = Role::Tracer;
        let request = Term::tuple([
            Term::atom("trace"),
            Term::Int(i64::try_from(most).unwrap_or(i64::MAX)),
            Term::Int(millis(limits.time)),
            Term::Int(limits.heap_words as i64),
            self.guard(role),
            allowed.term(),
            schedule.cloned().unwrap_or(Term::Atom(names::NONE)),
            encode_call(call),
        ]);
        let doing = describe(std::slice::from_ref(call));
        let patience = limits.time + limits.time.clamp(SHORTEST_GRACE, LONGEST_GRACE);
        let wait = Wait { each: patience, all: patience };
        let (mut events, mut outside): (BTreeMap<i64, Vec<u64>>, _) = (BTreeMap::new(), Vec::new());
        let (mut outcome, mut others, mut order) = (None, Vec::new(), None);
        let (mut is_whole, mut is_waiting) = (false, false);
        let told = self.converse(role, Condition::Any, &request, &doing, wait, |answer| {
            if let Some([_, index, piece]) = answer.as_tuple() {
                let bytes = bytes_of(piece).ok_or_else(|| protocol(&doing, "no events"))?;
                let index = index.as_int().ok_or_else(|| protocol(&doing, "events of nobody"))?;
                read_events(bytes, events.entry(index).or_default())
                    .ok_or_else(|| protocol(&doing, "a part of an event"))?;
                return Ok(Next::Used);
            }
            let mut next = Next::Used;
            for part in answer.as_list().ok_or_else(|| protocol(&doing, "no outcome"))? {
                match part.as_tuple() {
                    Some([Term::Atom(tag), whole]) if tag.text() == "is_whole" => is_whole = *whole == Term::TRUE,
                    Some([Term::Atom(tag), waiting]) if tag.text() == "is_waiting" => {
                        is_waiting = *waiting == Term::TRUE
                    }
                    Some([Term::Atom(tag), told]) if tag.text() == "outside" => {
                        let told = told.as_list().ok_or_else(|| protocol(&doing, "no list of calls"))?;
                        outside.extend(told.iter().filter_map(read_outside));
                    }
                    Some([Term::Atom(tag), told]) if tag.text() == "processes" => {
                        let told = told.as_list().ok_or_else(|| protocol(&doing, "no list of processes"))?;
                        others.extend(told.iter().cloned());
                    }
                    Some([Term::Atom(tag), told]) if tag.text() == "order" => {
                        order = (*told != Term::Atom(names::NONE)).then(|| told.clone());
                    }
                    _ if atom_named(part) == Some("changed") => next = Next::Replace,
                    _ => outcome = Some(decode_outcome(part).ok_or_else(|| protocol(&doing, "an unknown outcome"))?),
                }
            }
            Ok(next)
        });
        let main = events.remove(&0).unwrap_or_default();
        let mut others: Vec<TracedProcess> =
            others.iter().filter_map(|process| read_process(process, &mut events)).collect();
        others.sort_by(|one, other| one.path.cmp(&other.path));
        // A process that is linked to the main process may end it after the call.
        if others.first().is_some_and(|process| process.path.is_empty())
            && let (Some(Outcome::Value { .. }), Some(reason)) = (&outcome, others.remove(0).end)
        {
            outcome = Some(Outcome::Killed { reason });
        }
        let events = main;
        match (told, outcome) {
            (Ok(()), Some(outcome)) => Ok(Traced { outcome, events, is_whole, outside, others, is_waiting, order }),
            (Ok(()), None) => Err(protocol(&doing, "no outcome")),
            (
                Err(error @ (OracleError::ChildDied { .. } | OracleError::Timeout { .. } | OracleError::Forged { .. })),
                _,
            ) if self.can_start(role) => {
                let outcome = Outcome::RuntimeDied { message: error.to_string() };
                Ok(Traced { outcome, events, is_whole: false, outside, others, is_waiting, order })
            }
            (Err(error), _) => Err(error),
        }
    }
}

impl Allowed {
    pub(crate) fn term(&self) -> Term {
        if self.functions.is_empty() && self.natives.is_empty() {
            return Term::Atom(names::NONE);
        }
        let function = |name: &FunctionName| {
            Term::tuple([Term::Atom(name.module), Term::Atom(name.function), Term::Int(i64::from(name.arity))])
        };
        let functions: Vec<Term> = self.functions.iter().map(function).collect();
        let natives: Vec<Term> = self.natives.iter().copied().map(Term::Atom).collect();
        Term::tuple([Term::list(functions), Term::list(natives)])
    }
}

/// Reads `{Path, Index, End}`.
fn read_process(process: &Term, events: &mut BTreeMap<i64, Vec<u64>>) -> Option<TracedProcess> {
    let [path, index, end] = process.as_tuple()? else { return None };
    let path =
        path.as_list()?.iter().map(|number| u32::try_from(number.as_int()?).ok()).collect::<Option<Vec<u32>>>()?;
    let events = index.as_int().and_then(|index| events.remove(&index)).unwrap_or_default();
    let end = end.as_tuple().and_then(|end| end.get(1)).cloned();
    Some(TracedProcess { path, events, end })
}

pub(crate) fn read_outside(told: &Term) -> Option<FromOutside> {
    match told.as_tuple()? {
        [_, message] => Some(FromOutside::Message(message.clone())),
        [_, Term::Atom(module), Term::Atom(function), args, end] => {
            let args = args.as_list()?.to_vec();
            let function = FunctionName { module: *module, function: *function, arity: args.len() as u32 };
            let ended = match end.as_tuple()? {
                [_, value] => OutsideEnd::Returned(value.clone()),
                [_, Term::Atom(class), reason] => OutsideEnd::Raised { class: *class, reason: reason.clone() },
                _ => return None,
            };
            Some(FromOutside::Call { function, args, ended })
        }
        _ => None,
    }
}

/// Reads events: two bytes for an event in the same module as the previous one, otherwise eight bytes whose first bit
/// is set. `None` if a part is missing.
fn read_events(mut bytes: &[u8], events: &mut Vec<u64>) -> Option<()> {
    let mut module = 0;
    while let Some(first) = bytes.first() {
        let event = if first & 0x80 == 0 {
            let (number, rest) = bytes.split_first_chunk()?;
            bytes = rest;
            module << BITS_IN_MODULE | u64::from(u16::from_be_bytes(*number))
        } else {
            let (number, rest) = bytes.split_first_chunk()?;
            bytes = rest;
            u64::from_be_bytes(*number) & !(1 << 63)
        };
        module = event >> BITS_IN_MODULE;
        events.push(event);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_one_module_have_two_bytes() {
        let far: u64 = 7 << BITS_IN_MODULE | 3;
        let bytes = [&(far | 1 << 63).to_be_bytes()[..], &[0, 9], &[0, 1], &(5u64 | 1 << 63).to_be_bytes()].concat();
        let mut events = Vec::new();
        assert_eq!(read_events(&bytes, &mut events), Some(()));
        assert_eq!(events, [far, 7 << BITS_IN_MODULE | 9, 7 << BITS_IN_MODULE | 1, 5]);
        assert_eq!(read_events(&bytes[..9], &mut events), None);
    }
}
