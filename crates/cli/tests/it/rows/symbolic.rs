//! Rows with symbolic arguments: they end as they do with the same arguments concrete, and what was
//! decided on the way is true of them.

use crate::rows::support::{any_arguments, arguments, said, session, values};
use erlang::print;
use formula::{Assignment, Evaluation, Variable};
use machine::value::copy_in;
use machine::{Context, Machine, Meaning, Primitive, Word};
use path::Event;
use term::{Atom, Term};

/// Arguments are symbolic as wholes, in their parts, and in the parts of those.
const DEPTHS: std::ops::Range<usize> = 0..3;

#[test]
fn symbolic_arguments_change_nothing() {
    let mut session = session();
    let values = values(&mut session);
    let mut differences = Vec::new();
    let (mut runs, mut stopped, mut lossy) = (0, 0, 0);
    for row in erlang::bifs::available().filter(|row| has_meaning(row)) {
        let inside = arguments(row, &values, 120);
        for args in inside.into_iter().chain(any_arguments(row, &values, 60)) {
            let (module, function) = (Atom::new(row.module), Atom::new(row.name));
            let concrete = said(session.machine.run(module, function, &args));
            for depth in DEPTHS {
                let mut assignment = Assignment::default();
                let outcome = session.machine.run_with(module, function, |context| {
                    args.iter().map(|arg| pin(context, arg, depth, &mut assignment)).collect()
                });
                let mut symbolic = said(outcome);
                let limited = ["stopped: step limit", "stopped: memory limit"].contains(&symbolic.as_str());
                runs += 1;
                stopped += usize::from(limited);
                let is_loss = |event: &Event| matches!(event, Event::Concretised { .. });
                lossy += usize::from(session.machine.recorder().events.iter().any(is_loss));
                if let Some(event) = refuted(&mut session.machine, &assignment) {
                    symbolic = format!("{symbolic} after {event}");
                }
                if symbolic != concrete && !limited {
                    let args: Vec<String> = args.iter().map(print).collect();
                    let call = format!("{module}:{function}({})", args.join(", "));
                    differences.push(format!("{call}\n  concrete {concrete}\n  symbolic {depth} deep {symbolic}"));
                }
            }
        }
    }
    println!("{runs} symbolic runs, {stopped} ended at a limit, {lossy} made something concrete");
    let count = differences.len();
    differences.truncate(40);
    assert!(count == 0, "{count} calls differ:\n{}", differences.join("\n"));
}

/// What has none is made concrete, and what acts on the world may act differently the second time.
fn has_meaning(row: &Primitive) -> bool {
    match row.meaning {
        Meaning::Term(_) | Meaning::Keyed { .. } | Meaning::Prelude(..) | Meaning::Opened(_) => {
            // Output is an effect, and some shifts have a million digits.
            row.module != "io" && row.name != "bsl"
        }
        Meaning::Sampled { .. } => row.module == "erlang",
        Meaning::Effect(_) | Meaning::Opaque(_) => false,
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
            let mut pair =
                |(key, value): &(Term, Term)| (copy_in(&mut context.heap, key), pin(context, value, depth - 1, values));
            let pairs: Vec<(Word, Word)> = pairs.iter().map(&mut pair).collect();
            context.heap.map_of(&pairs)
        }
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

/// The first decision of the last run that is not so for these values.
fn refuted(machine: &mut Machine, values: &Assignment) -> Option<String> {
    let recorder = machine.recorder_mut();
    let events = std::mem::take(&mut recorder.events);
    let mut taken = Vec::new();
    for event in &events {
        let way = event.decision().map_or(0, |decision| decision.way);
        taken.push(event.condition(way, &mut recorder.formulas));
    }
    let mut evaluation = Evaluation::new(&recorder.formulas, values);
    let wrong = taken.iter().position(|condition| evaluation.value(*condition) != Some(Term::TRUE))?;
    Some(format!("{:?}, which is {:?}", events[wrong], evaluation.value(taken[wrong])))
}
