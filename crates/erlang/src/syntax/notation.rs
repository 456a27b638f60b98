//! How a language of the BEAM writes what inputs are made of. Whoever walks through data and functions
//! (`functions.rs`) asks a notation for each piece, so every language prints the same things.
//!
//! Pieces come as texts that are complete expressions or patterns of the same notation.

use super::print::{escape_hidden, print_atom, print_pasteable, print_short};
use super::wording::{self, Words};
use path::Class;
use term::{Atom, Term};

pub trait Notation {
    /// A term without functions that were made as inputs: an expression, and a pattern if no part of it needs a guard.
    fn term(&self, term: &Term) -> String;
    /// Such a term as an expression that may be shorter: with calls that make what repeats in it.
    fn expression(&self, term: &Term) -> String;
    fn tuple(&self, parts: &[String]) -> String;
    fn list(&self, items: &[String], tail: Option<&str>) -> String;
    fn map(&self, pairs: &[(String, String)]) -> String;
    /// A map that has these keys, and perhaps others.
    fn map_pattern(&self, pairs: &[(String, String)]) -> String;
    /// `map` with these pairs put into it.
    fn updated(&self, map: &str, pairs: &[(String, String)]) -> String;

    /// With its module and arity.
    fn function_name(&self, module: Atom, function: Atom, arity: u32) -> String;
    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String;
    /// Of a function in a variable.
    fn apply(&self, function: &str, args: &[String]) -> String;
    /// Of what a call returns.
    fn apply_result(&self, call: &str, args: &[String]) -> String;

    fn variable(&self, is: Variable, number: usize) -> String;
    /// A guard: exactly this value.
    fn is_same(&self, variable: &str, value: &str) -> String;
    /// At least one clause; of a function without parameters exactly one.
    fn function(&self, clauses: &[Clause]) -> String;
    fn case(&self, subject: &str, clauses: &[Clause]) -> String;
    /// `caught` have two patterns: class and reason.
    fn try_call(&self, call: &str, returned: &[Clause], caught: &[Clause]) -> String;
    fn raise(&self, class: Class, reason: &str) -> String;
    /// The first for its effects only.
    fn sequence(&self, first: &str, second: &str) -> String;
    fn bind(&self, pattern: &str, value: &str, body: &str) -> String;

    /// A process that answers every call of a server with this value.
    fn answering(&self, value: &str) -> String;
    /// A process that sends this value to whoever is named in a message.
    fn replying(&self, value: &str) -> String;
    /// A process that has ended.
    fn ended(&self) -> String;
    /// The variable of a process that comes more than once.
    fn process(&self) -> &'static str;

    /// What operators are called where conditions are put into words.
    fn words(&self) -> &'static Words;
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    Function,
    Value,
    /// Of a clause for all other arguments; numbers begin with 1.
    Argument,
    /// Of a clause for all other results.
    Other,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub patterns: Vec<String>,
    /// All of them must hold. They cannot fail.
    pub guards: Vec<String>,
    pub body: String,
}

/// Letters for variables, and how often they were all used before.
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
