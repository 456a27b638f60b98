//! Messages of exceptions. The formatter of the language makes them when it runs on the machine.

use erlang::syntax::elixir;
use erlang::{print, print_with_stand_ins, without_stand_ins};
use frontend::Evaluate;
use path::{Raised, TraceEntry};
use term::{Term, names};

/// Returns an exception as Erlang's shell shows it.
pub fn in_erlang(raised: &Raised, evaluate: &mut Evaluate<'_>) -> String {
    let expression = || {
        format!(
            "unicode:characters_to_binary(erl_error:format_exception(4, {}, {}, {}, \
             fun(_, _, _) -> false end, fun(T, _) -> io_lib:format(\"~0tp\", [T]) end, unicode))",
            raised.class.atom(),
            print_with_stand_ins(&raised.reason),
            print_with_stand_ins(&trace(raised)),
        )
    };
    match formatted(evaluate, raised, expression) {
        Some(text) => format!("** {}", without_stand_ins(&text)),
        None => format!("** exception {}: {}", raised.class.atom(), print(&raised.reason)),
    }
}

/// Returns an exception as Elixir shows it. `reason` is printed in Elixir.
pub fn in_elixir(raised: &Raised, reason: &str, evaluate: &mut Evaluate<'_>) -> String {
    let expression = || {
        format!(
            "'Elixir.Exception':format({}, {}, {})",
            raised.class.atom(),
            print_with_stand_ins(&raised.reason),
            print_with_stand_ins(&trace(raised)),
        )
    };
    match formatted(evaluate, raised, expression) {
        Some(text) => elixir::without_stand_ins(&text),
        None => format!("** ({}) {reason}", raised.class.atom()),
    }
}

/// The maximum number of parts of data in an exception that is formatted. Nobody reads longer messages, and the
/// formatters take minutes for them.
const MOST_PARTS: usize = 200_000;
const LONGEST_NUMBER: u64 = 1 << 17;

fn formatted(evaluate: &mut Evaluate<'_>, raised: &Raised, expression: impl FnOnce() -> String) -> Option<String> {
    let args = raised.trace.iter().flat_map(|entry| entry.args.iter().flatten().chain(&entry.details));
    if is_huge([&raised.reason].into_iter().chain(args)) {
        return None;
    }
    // There is no message if the exception cannot be written as an expression, or if there is no library to format it.
    match &evaluate(&expression()) {
        Ok(Term::Bits(bits)) => String::from_utf8(bits.bytes().to_vec()).ok(),
        _ => None,
    }
}

fn is_huge<'t>(terms: impl Iterator<Item = &'t Term>) -> bool {
    let mut open: Vec<&Term> = terms.collect();
    let mut parts = 0;
    while let Some(term) = open.pop() {
        parts += 1;
        match term {
            Term::List(items, end) => open.extend(items.iter().chain(end.as_deref())),
            Term::Tuple(items) => open.extend(items.iter()),
            Term::Map(pairs) => open.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            Term::Bits(bits) => parts += bits.bytes().len() / 8,
            Term::Big(value) if value.bits() > LONGEST_NUMBER => return true,
            Term::Int(_)
            | Term::Big(_)
            | Term::Float(_)
            | Term::Atom(_)
            | Term::Nil
            | Term::Fun(_)
            | Term::Pid(_)
            | Term::Reference(_)
            | Term::Port(_) => {}
        }
        if parts + open.len() > MOST_PARTS {
            return true;
        }
    }
    false
}

fn trace(raised: &Raised) -> Term {
    Term::list(raised.trace.iter().map(entry_term).collect::<Vec<_>>())
}

fn entry_term(entry: &TraceEntry) -> Term {
    let args = match &entry.args {
        Some(args) => Term::list(args.clone()),
        None => Term::Int(i64::from(entry.arity)),
    };
    let place = match entry.line {
        0 => vec![],
        line => vec![
            Term::tuple(vec![Term::Atom(names::FILE), Term::string(&entry.file)]),
            Term::tuple(vec![Term::Atom(names::LINE), Term::Int(i64::from(line))]),
        ],
    };
    let location = Term::list([place, entry.details.clone()].concat());
    Term::tuple(vec![Term::Atom(entry.module), Term::Atom(entry.function), args, location])
}
