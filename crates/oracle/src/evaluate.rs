//! Evaluates calls on the real runtime, one or ten thousand at a time.

use crate::answer::{atom_named, text_of};
use crate::child::protocol;
use crate::role::Role;
use crate::{Condition, Next, Oracle, OracleError, Wait};
use std::time::Duration;
use term::{Atom, FunctionName, Term, names};

/// A call to evaluate.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    Apply {
        module: Atom,
        function: Atom,
        args: Vec<Term>,
    },
    /// Expressions as typed into a shell, without the final dot. Calls without a module go to the exported functions of
    /// `home`.
    Text {
        text: String,
        home: Option<Atom>,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    /// The limit in machine words; binaries of more than 64 bytes are not counted by the runtime. 0: no limit.
    pub heap_words: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(5), heap_words: 16 << 20 }
    }
}

/// How an evaluation ended. `text` is the value or the reason as `io_lib:format("~0tp", _)` prints it,
/// if printing was asked for and it is not very long.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Value {
        term: Term,
        text: Option<String>,
    },
    Raised {
        class: Atom,
        reason: Term,
        stacktrace: Term,
        text: Option<String>,
    },
    /// It exceeded its time limit after this number of reductions.
    Timeout {
        reductions: u64,
    },
    HeapExceeded,
    /// An exit signal that it did not trap ended it.
    Killed {
        reason: Term,
    },
    /// The text is not Erlang.
    Unreadable {
        message: String,
    },
    /// It called a function that acts on the outside world, and was ended.
    Stopped {
        module: Atom,
        function: Atom,
        arity: u32,
    },
    /// It ended the whole runtime (`halt/0`, memory, a faulty NIF).
    RuntimeDied {
        message: String,
    },
}

/// An outcome, and observations of the processes that the call started, directly or indirectly.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    pub outcome: Outcome,
    /// Abnormal ends, in the order in which they were seen: neither those with `normal` or `{shutdown, _}`, nor those
    /// with `shutdown`, except of supervisors that gave up.
    pub ends: Vec<ProcessEnd>,
    pub rest: Rest,
    /// The number of processes that were started.
    pub started: u64,
}

/// The end of a process.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessEnd {
    /// The function that it was started with, as `proc_lib` translates it.
    pub initial: Option<FunctionName>,
    pub registered: Option<Atom>,
    pub reason: Term,
    /// Whether it ended because a linked process had crashed, without starting another one.
    pub gave_up: bool,
}

/// The state of the processes of an evaluation when they were last looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// None was left.
    Ended,
    /// All of them waited for messages.
    Waiting,
    Running,
}

impl Watched {
    /// Returns the result of a call that was not watched.
    fn unseen(outcome: Outcome) -> Watched {
        Watched { outcome, ends: Vec::new(), rest: Rest::Ended, started: 0 }
    }
}

/// The maximum number of outcomes in one packet. Slow calls are sent earlier.
const OUTCOMES_PER_PACKET: usize = 512;
/// The runtime ends evaluations itself. If that takes as long again, within these bounds, the runtime hangs.
pub(crate) const SHORTEST_GRACE: Duration = Duration::from_secs(1);
pub(crate) const LONGEST_GRACE: Duration = Duration::from_secs(10);

/// The parameters of an evaluation.
struct Asked {
    role: Role,
    limits: Limits,
    printed: bool,
    /// Whether each call is evaluated in a runtime in which nothing was evaluated before.
    afresh: bool,
    /// How long the processes that a call started are watched after its end.
    watch: Option<Duration>,
}

impl Oracle {
    pub fn evaluate(&self, call: &Call, limits: Limits) -> Result<Outcome, OracleError> {
        self.evaluate_one(Role::Evaluator, call, limits, false)
    }

    pub fn evaluate_printed(&self, call: &Call, limits: Limits) -> Result<Outcome, OracleError> {
        self.evaluate_one(Role::Evaluator, call, limits, true)
    }

    /// Calls a function of OTP whose result depends only on its arguments.
    pub fn call_pure(&self, call: &Call, limits: Limits) -> Result<Outcome, OracleError> {
        self.evaluate_one(Role::Library, call, limits, false)
    }

    /// Evaluates each call in a new runtime of its own.
    pub fn evaluate_afresh(&self, calls: &[Call], limits: Limits, printed: bool) -> Result<Vec<Outcome>, OracleError> {
        let mut outcomes = Vec::with_capacity(calls.len());
        for call in calls {
            let asked = Asked { role: Role::Evaluator, limits, printed, afresh: true, watch: None };
            outcomes.extend(self.evaluate_all(&asked, std::slice::from_ref(call))?.into_iter().map(outcome_of));
        }
        Ok(outcomes)
    }

    /// Evaluates a call and watches the processes that it starts: until it ends and, if there are processes left then,
    /// for `linger` or until nothing happens any more. `afresh`: in a runtime in which nothing was evaluated before.
    pub fn evaluate_watched(
        &self,
        call: &Call,
        limits: Limits,
        printed: bool,
        afresh: bool,
        linger: Duration,
    ) -> Result<Watched, OracleError> {
        let asked = Asked { role: Role::Evaluator, limits, printed, afresh, watch: Some(linger) };
        self.only(&asked, call)
    }

    /// Returns one outcome per call, in order; each call has a process and the limits for itself. A call that ends the
    /// runtime is identified, and the others are evaluated in a new runtime.
    pub fn evaluate_batch(&self, calls: &[Call], limits: Limits, printed: bool) -> Result<Vec<Outcome>, OracleError> {
        let asked = Asked { role: Role::Evaluator, limits, printed, afresh: false, watch: None };
        Ok(self.evaluate_all(&asked, calls)?.into_iter().map(outcome_of).collect())
    }

    fn evaluate_all(&self, asked: &Asked, calls: &[Call]) -> Result<Vec<Watched>, OracleError> {
        let mut outcomes = Vec::with_capacity(calls.len());
        let mut per_packet = OUTCOMES_PER_PACKET;
        while outcomes.len() < calls.len() {
            let done = outcomes.len();
            let failure = match self.evaluate_rest(asked, calls, per_packet, &mut outcomes) {
                Ok(()) => continue,
                Err(
                    failure
                    @ (OracleError::ChildDied { .. } | OracleError::Timeout { .. } | OracleError::Forged { .. }),
                ) => failure,
                Err(other) => return Err(other),
            };
            // A single call that hangs would hang again.
            let may_differ = calls.len() - done > 1 || matches!(failure, OracleError::ChildDied { .. });
            if per_packet > 1 && may_differ {
                // One of the calls or an accident caused it: they are evaluated again, each call alone.
                per_packet = 1;
            } else if outcomes.len() == done && !self.can_start(asked.role) {
                return Err(failure);
            } else {
                outcomes.push(Watched::unseen(Outcome::RuntimeDied { message: failure.to_string() }));
                per_packet = OUTCOMES_PER_PACKET;
            }
        }
        Ok(outcomes)
    }

    fn evaluate_one(&self, role: Role, call: &Call, limits: Limits, printed: bool) -> Result<Outcome, OracleError> {
        self.only(&Asked { role, limits, printed, afresh: false, watch: None }, call).map(outcome_of)
    }

    fn only(&self, asked: &Asked, call: &Call) -> Result<Watched, OracleError> {
        let outcomes = self.evaluate_all(asked, std::slice::from_ref(call))?;
        outcomes.into_iter().next().ok_or_else(|| protocol("evaluate", "no outcome"))
    }

    fn evaluate_rest(
        &self,
        asked: &Asked,
        calls: &[Call],
        per_packet: usize,
        outcomes: &mut Vec<Watched>,
    ) -> Result<(), OracleError> {
        let rest = &calls[outcomes.len()..];
        let Asked { role, limits, printed, afresh, watch } = *asked;
        let request = Term::tuple([
            Term::atom("evaluate"),
            Term::Int(per_packet as i64),
            Term::Int(millis(limits.time)),
            Term::Int(limits.heap_words as i64),
            Term::Atom(if printed { names::TRUE } else { names::FALSE }),
            watch.map_or(Term::Atom(names::NONE), |linger| Term::Int(millis(linger))),
            self.guard(role),
            Term::list(rest.iter().map(encode_call).collect::<Vec<_>>()),
        ]);
        let doing = describe(rest);
        // Every call may use all of its time.
        let grace = limits.time.clamp(SHORTEST_GRACE, LONGEST_GRACE);
        let time = limits.time + watch.unwrap_or_default();
        let wait = Wait { each: time + grace, all: time.saturating_mul(rest.len() as u32) + grace };
        let condition = if afresh { Condition::Unused } else { Condition::Any };
        self.converse(role, condition, &request, &doing, wait, |answer| {
            let mut next = Next::Used;
            for outcome in answer.as_list().ok_or_else(|| protocol(&doing, "no list of outcomes"))? {
                // It follows the outcome of the call that changed the runtime; the remaining calls need another
                // runtime.
                if atom_named(outcome) == Some("changed") {
                    next = Next::Replace;
                    continue;
                }
                outcomes.push(decode_watched(outcome).ok_or_else(|| protocol(&doing, "an unknown outcome"))?);
            }
            Ok(next)
        })
    }

    pub(crate) fn guard(&self, role: Role) -> Term {
        match (&self.config.guard, role) {
            (Some(guard), role) if role.runs_inputs() => guard.term(),
            (Some(_) | None, _) => Term::atom("none"),
        }
    }
}

pub(crate) fn describe(calls: &[Call]) -> String {
    match calls {
        [Call::Text { text, .. }] => format!("evaluate `{text}`"),
        [Call::Apply { module, function, args }] => format!("evaluate {module}:{function}/{}", args.len()),
        _ => format!("evaluate {} calls", calls.len()),
    }
}

pub(crate) fn encode_call(call: &Call) -> Term {
    match call {
        Call::Apply { module, function, args } => Term::tuple([
            Term::Atom(names::APPLY),
            Term::Atom(*module),
            Term::Atom(*function),
            Term::list(args.as_slice()),
        ]),
        Call::Text { text, home } => {
            Term::tuple([Term::atom("text"), Term::binary(text.as_bytes()), Term::Atom(home.unwrap_or(names::NONE))])
        }
    }
}

fn outcome_of(watched: Watched) -> Outcome {
    watched.outcome
}

fn decode_watched(term: &Term) -> Option<Watched> {
    let Some([tag, outcome, ends, rest, started]) = term.as_tuple() else {
        return decode_outcome(term).map(Watched::unseen);
    };
    if atom_named(tag) != Some("watched") {
        return decode_outcome(term).map(Watched::unseen);
    }
    Some(Watched {
        outcome: decode_outcome(outcome)?,
        ends: ends.as_list()?.iter().map(decode_end).collect::<Option<_>>()?,
        rest: match atom_named(rest)? {
            "ended" => Rest::Ended,
            "waiting" => Rest::Waiting,
            "running" => Rest::Running,
            _ => return None,
        },
        started: started.as_int()?.try_into().ok()?,
    })
}

fn decode_end(term: &Term) -> Option<ProcessEnd> {
    let [initial, Term::Atom(registered), reason, gave_up] = term.as_tuple()? else { return None };
    let initial = match initial.as_tuple() {
        Some([Term::Atom(module), Term::Atom(function), arity]) => {
            Some(FunctionName { module: *module, function: *function, arity: arity.as_int()?.try_into().ok()? })
        }
        _ => None,
    };
    Some(ProcessEnd {
        initial,
        registered: Some(*registered).filter(|name| *name != names::NONE),
        reason: reason.clone(),
        gave_up: *gave_up == Term::TRUE,
    })
}

pub(crate) fn decode_outcome(term: &Term) -> Option<Outcome> {
    if let Term::Atom(name) = term {
        return match name.text() {
            "heap_exceeded" => Some(Outcome::HeapExceeded),
            _ => None,
        };
    }
    let (tag, parts) = term.as_tuple()?.split_first()?;
    match (atom_named(tag)?, parts) {
        ("value", [value]) => Some(Outcome::Value { term: value.clone(), text: None }),
        ("value", [value, text]) => Some(Outcome::Value { term: value.clone(), text: Some(text_of(text)?) }),
        ("raised", [Term::Atom(class), reason, stacktrace, text @ ..]) => Some(Outcome::Raised {
            class: *class,
            reason: reason.clone(),
            stacktrace: stacktrace.clone(),
            text: text.first().and_then(text_of),
        }),
        ("timeout", [reductions]) => Some(Outcome::Timeout { reductions: reductions.as_int()?.try_into().ok()? }),
        ("killed", [reason]) => Some(Outcome::Killed { reason: reason.clone() }),
        ("stopped", [Term::Atom(module), Term::Atom(function), arity]) => Some(Outcome::Stopped {
            module: *module,
            function: *function,
            arity: arity.as_int().and_then(|arity| arity.try_into().ok())?,
        }),
        ("unreadable", [message]) => Some(Outcome::Unreadable { message: text_of(message)? }),
        _ => None,
    }
}

pub(crate) fn millis(time: Duration) -> i64 {
    // The longest timeout that `receive ... after` accepts.
    time.as_millis().clamp(1, u128::from(u32::MAX)) as i64
}
