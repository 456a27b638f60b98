//! Erlang's notation for reports.

use super::targets::print_name;
use erlang::print_pasteable;
use erlang::syntax::print_atom;
use report::{Name, Printer};
use term::{Atom, Term};

pub struct Erlang;

impl Printer for Erlang {
    fn term(&self, term: &Term) -> String {
        print_pasteable(term)
    }

    fn function(&self, name: Name) -> String {
        print_name(name)
    }

    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String {
        format!("{}:{}({})", print_atom(module), print_atom(function), args.join(", "))
    }

    fn runtime(&self) -> &'static str {
        "the BEAM"
    }

    fn end_of_input(&self) -> &'static str {
        "."
    }
}
