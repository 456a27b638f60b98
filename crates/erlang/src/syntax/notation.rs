//! How a language of the BEAM writes the parts of inputs. The code that walks through data and functions
//! (`functions.rs`) asks a notation for each piece, so every language prints the same things.
//!
//! Pieces are passed as texts that are complete expressions or patterns of the same notation.

use super::print::{escape_hidden, print_atom, print_pasteable, print_short};
use super::wording::{self, Words};
use path::Class;
use term::{Atom, Term};

pub trait Notation {
    /// Returns a term without functions that were made as inputs: an expression, and a pattern if no part of it needs a
    /// guard.
    fn term(&self, term: &Term) -> String;
    /// Returns such a term as an expression that may be shorter, with calls that make repeated parts.
    fn expression(&self, term: &Term) -> String;
    fn tuple(&self, parts: &[String]) -> String;
    fn list(&self, items: &[String], tail: Option<&str>) -> String;
    fn map(&self, pairs: &[(String, String)]) -> String;
    /// Returns a pattern for a map that has these keys, and possibly others.
    fn map_pattern(&self, pairs: &[(String, String)]) -> String;
    /// Returns an expression for `map` with these associations.
    fn updated(&self, map: &str, pairs: &[(String, String)]) -> String;

    /// Returns the name of a function with its module and arity.
    fn function_name(&self, module: Atom, function: Atom, arity: u32) -> String;
    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String;
    /// Returns a call of a function in a variable.
    fn apply(&self, function: &str, args: &[String]) -> String;
    /// Returns a call of the function that another call returns.
    fn apply_result(&self, call: &str, args: &[String]) -> String;

    fn variable(&self, is: Variable, number: usize) -> String;
    /// Returns a guard that requires exactly this value.
    fn is_same(&self, variable: &str, value: &str) -> String;
    /// Returns a function with at least one clause, and exactly one if it has no parameters.
    fn function(&self, clauses: &[Clause]) -> String;
    fn case(&self, subject: &str, clauses: &[Clause]) -> String;
    /// Returns a `try` around a call. The clauses `caught` have two patterns: class and reason.
    fn try_call(&self, call: &str, returned: &[Clause], caught: &[Clause]) -> String;
    fn raise(&self, class: Class, reason: &str) -> String;
    /// Returns a sequence of two expressions, the first only for its effects.
    fn sequence(&self, first: &str, second: &str) -> String;
    fn bind(&self, pattern: &str, value: &str, body: &str) -> String;

    /// Returns an expression for a process that answers every call of a server with this value.
    fn answering(&self, value: &str) -> String;
    /// Returns an expression for a process that sends this value to the process that a message names.
    fn replying(&self, value: &str) -> String;
    /// Returns an expression for a process that has ended.
    fn ended(&self) -> String;
    /// Returns the variable for a process that occurs more than once.
    fn process(&self) -> &'static str;

    /// Returns the names of operators for conditions.
    fn words(&self) -> &'static Words;
}

/// The kind of value that a variable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    Function,
    Value,
    /// An argument, in the clause for all other arguments; numbers begin with 1.
    Argument,
    /// The result, in the clause for all other results.
    Other,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub patterns: Vec<String>,
    /// Conditions that must all hold. Their evaluation cannot fail.
    pub guards: Vec<String>,
    pub body: String,
}

/// Returns the letters of a variable, and how often all letters were used before.
pub(super) fn letter<'l>(is: Variable, number: usize) -> (&'l str, usize) {
    let letters: &[&str] = match is {
        Variable::Function => &["G", "H", "K", "L"],
        Variable::Value => &["X", "Y", "Z"],
        Variable::Argument => return ("A", number),
        Variable::Other => return ("Other", number),
    };
    (letters[number % letters.len()], number / letters.len())
}

pub struct Erlang;

impl Notation for Erlang {
    fn term(&self, term: &Term) -> String {
        escape_hidden(&print_pasteable(term))
    }

    fn expression(&self, term: &Term) -> String {
        escape_hidden(&print_short(term))
    }

    fn tuple(&self, parts: &[String]) -> String {
        format!("{{{}}}", parts.join(", "))
    }

    fn list(&self, items: &[String], tail: Option<&str>) -> String {
        let tail = tail.map(|tail| format!(" | {tail}")).unwrap_or_default();
        format!("[{}{tail}]", items.join(", "))
    }

    fn map(&self, pairs: &[(String, String)]) -> String {
        self.updated("", pairs)
    }

    fn map_pattern(&self, pairs: &[(String, String)]) -> String {
        format!("#{{{}}}", joined(pairs, " := "))
    }

    fn updated(&self, map: &str, pairs: &[(String, String)]) -> String {
        format!("{map}#{{{}}}", joined(pairs, " => "))
    }

    fn function_name(&self, module: Atom, function: Atom, arity: u32) -> String {
        escape_hidden(&format!("{}:{}/{arity}", print_atom(module), print_atom(function)))
    }

    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String {
        escape_hidden(&format!("{}:{}({})", print_atom(module), print_atom(function), args.join(", ")))
    }

    fn apply(&self, function: &str, args: &[String]) -> String {
        format!("{function}({})", args.join(", "))
    }

    fn apply_result(&self, call: &str, args: &[String]) -> String {
        format!("({call})({})", args.join(", "))
    }

    fn variable(&self, is: Variable, number: usize) -> String {
        match letter(is, number) {
            (letter, 0) => letter.to_string(),
            (letter, round) => format!("{letter}{round}"),
        }
    }

    fn is_same(&self, variable: &str, value: &str) -> String {
        format!("{variable} =:= {value}")
    }

    fn function(&self, clauses: &[Clause]) -> String {
        let clauses: Vec<String> = clauses
            .iter()
            .map(|clause| format!("({}){} -> {}", clause.patterns.join(", "), when(clause), clause.body))
            .collect();
        format!("fun{} end", clauses.join("; "))
    }

    fn case(&self, subject: &str, clauses: &[Clause]) -> String {
        format!("case {subject} of {} end", all(clauses, ", "))
    }

    fn try_call(&self, call: &str, returned: &[Clause], caught: &[Clause]) -> String {
        format!("try {call} of {} catch {} end", all(returned, ", "), all(caught, ":"))
    }

    fn raise(&self, class: Class, reason: &str) -> String {
        match class {
            Class::Throw => format!("throw({reason})"),
            Class::Error => format!("error({reason})"),
            Class::Exit => format!("exit({reason})"),
        }
    }

    fn sequence(&self, first: &str, second: &str) -> String {
        format!("{first}, {second}")
    }

    fn bind(&self, pattern: &str, value: &str, body: &str) -> String {
        format!("begin {pattern} = {value}, {body} end")
    }

    fn ended(&self) -> String {
        let wait = "receive {'DOWN', Ref, _, _, _} -> Pid end";
        format!("(fun() -> {{Pid, Ref}} = spawn_monitor(erlang, self, []), {wait} end)()")
    }

    fn process(&self) -> &'static str {
        "P"
    }

    fn replying(&self, value: &str) -> String {
        let tag = "hd([R || R <- L, is_reference(R)] ++ [self()])";
        let reply = format!("L = tuple_to_list(M), [F ! {{{tag}, {value}}} || F <- L, is_pid(F)]");
        format!("spawn(fun Answer() -> receive M when is_tuple(M) -> {reply}, Answer() end end)")
    }

    fn answering(&self, value: &str) -> String {
        let question = "{'$gen_call', From, _}";
        format!("spawn(fun Answer() -> receive {question} -> gen_server:reply(From, {value}), Answer() end end)")
    }

    fn words(&self) -> &'static Words {
        &wording::ERLANG
    }
}

fn joined(pairs: &[(String, String)], between: &str) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}{between}{value}")).collect();
    pairs.join(", ")
}

fn all(clauses: &[Clause], between: &str) -> String {
    let clauses: Vec<String> = clauses
        .iter()
        .map(|clause| format!("{}{} -> {}", clause.patterns.join(between), when(clause), clause.body))
        .collect();
    clauses.join("; ")
}

fn when(clause: &Clause) -> String {
    match clause.guards.as_slice() {
        [] => String::new(),
        guards => format!(" when {}", guards.join(", ")),
    }
}
