//! The answer of one side, in a form that can be compared.
//!
//! Floats are compared by their bits. Processes, references and closures of two runtimes cannot be compared, so only
//! their kind counts. The order of a map of more than 32 keys differs between runtimes.

use path::Stop;
use std::fmt::Write;
use term::{Fun, Term};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A value or an exception.
    Final(String),
    /// A limit of time or memory was reached, so the sides cannot be compared.
    Limit(String),
    /// No process can go on. The BEAM does not report this: it runs out of time.
    Waits,
    /// An answer that a pure expression cannot have.
    Failed(String),
}

const LARGE_MAP: usize = 32;

pub fn ours(outcome: &path::Outcome) -> Answer {
    match outcome {
        path::Outcome::Value(value) => Answer::Final(canonical(value)),
        path::Outcome::Raised(raised) => {
            Answer::Final(format!("{} {}", raised.class.atom(), canonical(&raised.reason)))
        }
        path::Outcome::Stopped(stop) => match stop {
            Stop::StepLimit
            | Stop::Interrupted
            | Stop::MemoryLimit
            | Stop::AtomLimit
            | Stop::ProcessLimit
            | Stop::TraceLimit
            | Stop::ResultTooLarge
            | Stop::TooSlow(_) => Answer::Limit(format!("{stop:?}")),
            Stop::Deadlock(_) => Answer::Waits,
            Stop::Unsupported(_)
            | Stop::EffectDenied(_)
            | Stop::NotReturned(_)
            | Stop::Halted(_)
            | Stop::Contract
            | Stop::LoadFailed(_)
            | Stop::Fault(_) => Answer::Failed(format!("stopped: {stop:?}")),
        },
    }
}

pub fn theirs(outcome: &oracle::Outcome) -> Answer {
    match outcome {
        oracle::Outcome::Value { term, .. } => Answer::Final(canonical(term)),
        oracle::Outcome::Raised { class, reason, .. } => Answer::Final(format!("{class} {}", canonical(reason))),
        oracle::Outcome::Timeout { .. } => Answer::Limit("time".to_owned()),
        oracle::Outcome::HeapExceeded => Answer::Limit("heap".to_owned()),
        oracle::Outcome::RuntimeDied { message } => Answer::Limit(message.clone()),
        oracle::Outcome::Killed { reason } => Answer::Failed(format!("killed: {}", canonical(reason))),
        oracle::Outcome::Stopped { module, function, arity } => {
            Answer::Failed(format!("stopped at {module}:{function}/{arity}"))
        }
        oracle::Outcome::Unreadable { message } => Answer::Failed(format!("unreadable: {message}")),
    }
}

pub fn canonical(term: &Term) -> String {
    let mut out = String::new();
    write_term(&mut out, term);
    out
}

fn write_term(out: &mut String, term: &Term) {
    // Writing to a string cannot fail.
    match term {
        Term::Float(value) => _ = write!(out, "{}:{:x}", value, value.to_bits()),
        Term::List(items, tail) => {
            out.push('[');
            write_all(out, items);
            if let Some(tail) = tail {
                out.push('|');
                write_term(out, tail);
            }
            out.push(']');
        }
        Term::Tuple(items) => {
            out.push('{');
            write_all(out, items);
            out.push('}');
        }
        Term::Map(pairs) => {
            let mut pairs: Vec<String> =
                pairs.iter().map(|(key, value)| format!("{}=>{}", canonical(key), canonical(value))).collect();
            if pairs.len() > LARGE_MAP {
                pairs.sort();
            }
            _ = write!(out, "#{{{}}}", pairs.join(","));
        }
        Term::Fun(fun) => match &**fun {
            Fun::External { module, function, arity } => _ = write!(out, "fun {module}:{function}/{arity}"),
            Fun::Local { arity, .. } | Fun::Input { arity, .. } => _ = write!(out, "fun/{arity}"),
        },
        Term::Pid(_) => out.push_str("<pid>"),
        Term::Reference(_) => out.push_str("<reference>"),
        Term::Port(_) => out.push_str("<port>"),
        Term::Int(_) | Term::Big(_) | Term::Atom(_) | Term::Nil | Term::Bits(_) => out.push_str(&erlang::print(term)),
    }
}

fn write_all(out: &mut String, items: &[Term]) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_term(out, item);
    }
}
