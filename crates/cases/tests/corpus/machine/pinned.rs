//! Symbolic runs whose inputs are pinned to known values: they must end as the concrete run does, and what
//! they recorded must be true of those values.

use cases::Case;
use erlang::syntax::parse_term;
use formula::{Assignment, Evaluation, Variable};
use machine::value::copy_in;
use machine::{Context, Machine, Word};
use path::{Event, Outcome};
use session::Session;
use term::{Atom, Term};

/// How deep the shadows of arguments are put: this deep below the arguments themselves, and at
/// everything above that has no parts.
const DEPTHS: std::ops::Range<usize> = 0..4;

/// The answers of the call with its arguments symbolic as wholes, then symbolic in their parts, their
/// parts' parts and so on. Nothing for an expression that is no call with constant arguments.
pub fn pinned_answers(
    session: &mut Session,
    case: &Case,
    expression: &str,
    printed: impl Fn(Outcome) -> String,
) -> Vec<String> {
    let Some((function, args)) = constant_call(expression) else { return Vec::new() };
    let depths = DEPTHS.take_while(|depth| args.iter().any(|arg| *depth == 0 || has_depth(arg, *depth)));
    let answer = |depth| {
        let mut values = Assignment::default();
        let outcome = session.machine.run_with(Atom::new(&case.module), Atom::new(function), |context| {
            args.iter().map(|arg| pin(context, arg, depth, &mut values)).collect()
        });
        let answer = printed(outcome);
        match refuted(&mut session.machine, &values) {
            Some(event) => format!("{answer} after {event}"),
            None => answer,
        }
    };
    depths.map(answer).collect()
}

fn constant_call(expression: &str) -> Option<(&str, Vec<Term>)> {
    let (function, rest) = expression.split_once('(')?;
    let is_plain = function.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let args = parse_term(&format!("[{}]", rest.strip_suffix(')')?)).ok().filter(|_| is_plain)?;
    Some((function, args.as_list()?.to_vec()))
}

/// Whether it has parts so many levels below itself.
fn has_depth(term: &Term, depth: usize) -> bool {
    let deeper = |part: &Term| depth == 1 || has_depth(part, depth - 1);
    match term {
        Term::List(items, tail) => items.iter().any(deeper) || tail.as_ref().is_some_and(|tail| deeper(tail)),
        Term::Tuple(elements) => elements.iter().any(deeper),
        Term::Map(pairs) => pairs.iter().any(|(_, value)| deeper(value)),
        Term::Int(_)
        | Term::Big(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Nil
        | Term::Bits(_)
        | Term::Fun(_)
        | Term::Pid(_)
        | Term::Reference(_)
        | Term::Port(_) => false,
    }
}

fn pin(context: &mut Context, term: &Term, depth: usize, values: &mut Assignment) -> Word {
    match term {
        Term::List(items, tail) if depth > 0 => {
            let end = tail.as_ref().map_or(Word::NIL, |tail| pin(context, tail, depth - 1, values));
            let items: Vec<Word> = items.iter().map(|item| pin(context, item, depth - 1, values)).collect();
            context.heap.list(&items, end)
        }
        Term::Tuple(elements) if depth > 0 => {
            let elements: Vec<Word> = elements.iter().map(|element| pin(context, element, depth - 1, values)).collect();
            context.heap.tuple(&elements)
        }
        // Keys decide where their values lie: they stay as they are.
        Term::Map(pairs) if depth > 0 => {
            let pairs: Vec<(Word, Word)> = pairs
                .iter()
                .map(|(key, value)| (copy_in(&mut context.heap, key), pin(context, value, depth - 1, values)))
                .collect();
            context.heap.map_of(&pairs)
        }
        // A local function has no text, so no value of this kind was written by the case.
        Term::Fun(_) => copy_in(&mut context.heap, term),
        _ => {
            let variable = Variable(values.len() as u32);
            values.insert(variable, term.clone());
            let concrete = copy_in(&mut context.heap, term);
            let formula = context.recorder.formulas.variable(variable);
            context.heap.symbolic(concrete, formula)
        }
    }
}

/// The first event of the last run that says of these values what is not so.
fn refuted(machine: &mut Machine, values: &Assignment) -> Option<String> {
    let (mut formulas, events) = std::mem::take(machine.recorder_mut()).into_path();
    let taken: Vec<_> = events
        .iter()
        .map(|event| {
            let way = event.decision().map_or(0, |decision| decision.way);
            event.condition(way, &mut formulas)
        })
        .collect();
    let mut evaluation = Evaluation::new(&formulas, values);
    let wrong = taken.iter().position(|condition| evaluation.value(*condition) != Some(Term::TRUE))?;
    let event: &Event = &events[wrong];
    Some(format!("event {wrong}, {event:?}, whose condition is {:?}", evaluation.value(taken[wrong])))
}
