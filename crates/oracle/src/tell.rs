//! Runs calls of code that reports what it does, event by event, with values.

use crate::answer::atom_named;
use crate::child::protocol;
use crate::evaluate::{LONGEST_GRACE, SHORTEST_GRACE, decode_outcome, millis};
use crate::role::Role;
use crate::trace::read_outside;
use crate::{Allowed, Condition, FromOutside, Limits, Next, Oracle, OracleError, Outcome, Wait};
use std::ops::ControlFlow;
use term::Term;

/// An event as the code reported it.
#[derive(Clone, Debug, PartialEq)]
pub struct Narrated {
    pub pid: Term,
    /// The number of words on the stack below the frame of the function that reported it.
    pub depth: usize,
    /// The position in the source: see `beagle_trace.hrl`.
    pub info: Term,
    pub values: Vec<Term>,
    pub result: Term,
}

/// The results of a call besides its events.
#[derive(Clone, Debug, PartialEq)]
pub struct Narration {
    /// `None` if the receiver of the events did not want more.
    pub outcome: Option<Outcome>,
    /// The values and messages from outside of the program that the main process received, in order.
    pub outside: Vec<FromOutside>,
}

impl Oracle {
    /// Evaluates a text. `hear` gets the events as they happen, and may end the evaluation.
    pub fn tell(
        &self,
        text: &str,
        limits: Limits,
        allowed: &Allowed,
        mut hear: impl FnMut(Narrated) -> ControlFlow<()>,
    ) -> Result<Narration, OracleError> {
        let role = Role::Tracer;
        let request = Term::tuple([
            Term::atom("tell"),
            Term::Int(millis(limits.time)),
            Term::Int(limits.heap_words as i64),
            self.guard(role),
            allowed.term(),
            Term::binary(text.as_bytes()),
        ]);
        let doing = format!("evaluate `{text}`");
        let patience = limits.time + limits.time.clamp(SHORTEST_GRACE, LONGEST_GRACE);
        let wait = Wait { each: patience, all: patience };
        let (mut outside, mut outcome, mut is_enough) = (Vec::new(), None, false);
        let told = self.converse(role, Condition::Any, &request, &doing, wait, |answer| {
            if let Some(told) = read_told(&answer) {
                is_enough = hear(told).is_break();
                return if is_enough { Err(protocol(&doing, "more than is wanted")) } else { Ok(Next::Used) };
            }
            let mut next = Next::Used;
            for part in answer.as_list().ok_or_else(|| protocol(&doing, "no outcome"))? {
                match part.as_tuple() {
                    Some([Term::Atom(tag), told]) if tag.text() == "outside" => {
                        let told = told.as_list().ok_or_else(|| protocol(&doing, "no list of calls"))?;
                        outside.extend(told.iter().filter_map(read_outside));
                    }
                    _ if atom_named(part) == Some("changed") => next = Next::Replace,
                    _ => outcome = Some(decode_outcome(part).ok_or_else(|| protocol(&doing, "an unknown outcome"))?),
                }
            }
            Ok(next)
        });
        match (told, outcome) {
            (Err(_), _) if is_enough => Ok(Narration { outcome: None, outside }),
            (Ok(()), Some(outcome)) => Ok(Narration { outcome: Some(outcome), outside }),
            (Ok(()), None) => Err(protocol(&doing, "no outcome")),
            (
                Err(error @ (OracleError::ChildDied { .. } | OracleError::Timeout { .. } | OracleError::Forged { .. })),
                _,
            ) if self.can_start(role) => {
                let outcome = Outcome::RuntimeDied { message: error.to_string() };
                Ok(Narration { outcome: Some(outcome), outside })
            }
            (Err(error), _) => Err(error),
        }
    }
}

fn read_told(answer: &Term) -> Option<Narrated> {
    let [_, pid, depth, info, values, result] = answer.as_tuple()? else { return None };
    Some(Narrated {
        pid: pid.clone(),
        depth: usize::try_from(depth.as_int()?).ok()?,
        info: info.clone(),
        values: values.as_list()?.to_vec(),
        result: result.clone(),
    })
}
