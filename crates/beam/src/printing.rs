//! Printing that is the same in both notations: inputs with all their parts.

use erlang::syntax::{Notation, print_functional};
use path::{InputValue, Stranger, Value, has_functions};
use term::{Atom, Term};

/// The maximum number of letters of a line. Longer text is split into several lines.
pub const LINE: usize = 96;

fn process(notation: &dyn Notation, stranger: &Stranger<Value>, value: &dyn Fn(&Value) -> String) -> String {
    let erlang = Atom::new("erlang");
    let atom = |name: &str| notation.term(&Term::atom(name));
    let forever = [atom("timer"), atom("sleep"), notation.list(&[atom("infinity")], None)];
    match stranger {
        Stranger::Idle => notation.call(erlang, Atom::new("spawn"), &forever),
        Stranger::Ended => notation.ended(),
        Stranger::Answering(data) => notation.answering(&value(data)),
        Stranger::Replying(data) => notation.replying(&value(data)),
        Stranger::Same => notation.process().to_string(),
        Stranger::Caller => notation.call(erlang, Atom::new("self"), &[]),
    }
}

/// Prints an input as an expression. With `strict`, functions in it raise an error if they are called with arguments
/// that they do not cover.
pub fn input(notation: &dyn Notation, whole: &InputValue, strict: bool) -> String {
    let all = |inputs: &[InputValue]| inputs.iter().map(|part| input(notation, part, strict)).collect::<Vec<_>>();
    let value = |value: &Value| match &value.functions {
        Some(functions) => print_functional(notation, &value.data, functions, strict),
        None => notation.expression(&value.data),
    };
    match whole {
        InputValue::Data(data) => value(data),
        InputValue::Call { module, function, args } => notation.call(*module, *function, &all(args)),
        InputValue::Tuple(parts) => notation.tuple(&all(parts)),
        InputValue::List(parts) => notation.list(&all(parts), None),
        InputValue::Process(stranger) => process(notation, stranger, &value),
        InputValue::Registered { name, process: stranger } => {
            let args = [notation.term(&Term::Atom(*name)), process(notation, stranger, &value)];
            notation.call(Atom::new("erlang"), Atom::new("register"), &args)
        }
        InputValue::Map { others, fields } => {
            let field = |(key, value): &(InputValue, InputValue)| {
                (input(notation, key, strict), input(notation, value, strict))
            };
            let fields: Vec<(String, String)> = fields.iter().map(field).collect();
            one_map(notation, &others.data, &fields).unwrap_or_else(|| notation.updated(&value(others), &fields))
        }
    }
}

/// Returns a map with further fields, written as one map, if it contains nothing but data and is not a structure with a
/// name.
pub fn one_map(notation: &dyn Notation, others: &Term, fields: &[(String, String)]) -> Option<String> {
    let Term::Map(pairs) = others else { return None };
    if has_functions(others) || pairs.iter().any(|(key, _)| *key == Term::atom("__struct__")) {
        return None;
    }
    let written = pairs.iter().map(|(key, value)| (notation.expression(key), notation.expression(value)));
    let kept = written.filter(|(key, _)| fields.iter().all(|(other, _)| other != key));
    Some(notation.map(&kept.chain(fields.iter().cloned()).collect::<Vec<_>>()))
}
