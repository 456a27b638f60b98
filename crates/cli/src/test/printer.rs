//! Erlang's notation for reports.

use super::targets::print_name;
use erlang::print_pasteable;
use erlang::syntax::{print_applied, print_atom, print_functional};
use interaction::Witness;
use report::{Name, Printer};
use search::InputValue;
use term::{Atom, Term};

pub struct Erlang;

impl Printer for Erlang {
    fn term(&self, term: &Term) -> String {
        print_pasteable(term)
    }

    fn input(&self, input: &InputValue, strict: bool) -> String {
        let all = |inputs: &[InputValue]| inputs.iter().map(|input| self.input(input, strict)).collect::<Vec<_>>();
        match input {
            InputValue::Data(term) => self.term(term),
            InputValue::Functional { data, functions } => print_functional(data, functions, strict),
            InputValue::Call { module, function, args } => self.call(*module, *function, &all(args)),
            InputValue::Tuple(parts) => format!("{{{}}}", all(parts).join(",")),
            InputValue::List(parts) => format!("[{}]", all(parts).join(",")),
            InputValue::Map { others, fields } => {
                let field =
                    |(key, value): &(Term, InputValue)| format!("{} => {}", self.term(key), self.input(value, strict));
                let fields = fields.iter().map(field).collect::<Vec<_>>().join(",");
                match others {
                    Term::Map(pairs) if pairs.is_empty() => format!("#{{{fields}}}"),
                    others => format!("{}#{{{fields}}}", self.term(others)),
                }
            }
        }
    }

    fn function(&self, name: Name) -> String {
        print_name(name)
    }

    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String {
        format!("{}:{}({})", print_atom(module), print_atom(function), args.join(", "))
    }

    fn applied(&self, call: String, functions: &Witness, strict: bool) -> String {
        print_applied(call, functions, strict)
    }

    fn runtime(&self) -> &'static str {
        "the BEAM"
    }

    fn end_of_input(&self) -> &'static str {
        "."
    }
}
