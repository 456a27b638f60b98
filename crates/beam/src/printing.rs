//! What both notations print alike: inputs with everything that may be in them.

use erlang::syntax::{Notation, print_functional};
use path::{InputValue, Stranger, Value};
use term::{Atom, Term};

/// Letters of a line. What is longer is laid out over several.
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

/// An input as an expression. `strict`: functions in it say so where they are called with what they are not for.
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
            match &others.data {
                Term::Map(pairs) if pairs.is_empty() => notation.map(&fields),
                _ => notation.updated(&value(others), &fields),
            }
        }
    }
}
