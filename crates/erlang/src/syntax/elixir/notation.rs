//! Data and functions in Elixir.

use super::Structs;
use super::names::{atom, remote};
use super::print::{print_short, print_term};
use crate::syntax::notation::{Clause, Notation, Variable, letter};
use crate::syntax::wording::{self, Words};
use path::Class;
use term::{Atom, Term};

/// The notation of Elixir. Structs are printed as such if their fields are known.
pub struct Elixir {
    pub structs: Box<dyn Structs>,
}

impl Notation for Elixir {
    fn term(&self, term: &Term) -> String {
        print_term(term, &*self.structs)
    }

    fn expression(&self, term: &Term) -> String {
        print_short(term, &*self.structs)
    }

    fn tuple(&self, parts: &[String]) -> String {
        format!("{{{}}}", parts.join(", "))
    }

    fn list(&self, items: &[String], tail: Option<&str>) -> String {
        let tail = tail.map(|tail| format!(" | {tail}")).unwrap_or_default();
        format!("[{}{tail}]", items.join(", "))
    }

    fn map(&self, pairs: &[(String, String)]) -> String {
        let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key} => {value}")).collect();
        format!("%{{{}}}", pairs.join(", "))
    }

    fn map_pattern(&self, pairs: &[(String, String)]) -> String {
        self.map(pairs)
    }

    fn updated(&self, map: &str, pairs: &[(String, String)]) -> String {
        format!("Map.merge({map}, {})", self.map(pairs))
    }

    fn function_name(&self, module: Atom, function: Atom, arity: u32) -> String {
        let (module, function) = (module.text(), function.text());
        let name = remote(module, function).unwrap_or_else(|| format!("{}.{}", atom(module), atom(function)));
        format!("{name}/{arity}")
    }

    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String {
        let args = args.join(", ");
        match remote(module.text(), function.text()) {
            Some(name) => format!("{name}({args})"),
            None => format!("apply({}, {}, [{args}])", atom(module.text()), atom(function.text())),
        }
    }

    fn apply(&self, function: &str, args: &[String]) -> String {
        format!("{function}.({})", args.join(", "))
    }

    fn apply_result(&self, call: &str, args: &[String]) -> String {
        self.apply(call, args)
    }

    fn variable(&self, is: Variable, number: usize) -> String {
        match letter(is, number) {
            (letter, 0) => letter.to_lowercase(),
            (letter, round) => format!("{}{round}", letter.to_lowercase()),
        }
    }

    fn is_same(&self, variable: &str, value: &str) -> String {
        format!("{variable} === {value}")
    }

    fn function(&self, clauses: &[Clause]) -> String {
        match clauses {
            [Clause { patterns, body, .. }] if patterns.is_empty() => format!("fn -> {body} end"),
            _ => format!("fn {} end", all(clauses)),
        }
    }

    fn case(&self, subject: &str, clauses: &[Clause]) -> String {
        format!("case {subject} do {} end", all(clauses))
    }

    fn try_call(&self, call: &str, returned: &[Clause], caught: &[Clause]) -> String {
        format!("try do {call} else {} catch {} end", all(returned), all(caught))
    }

    fn raise(&self, class: Class, reason: &str) -> String {
        match class {
            Class::Throw => format!("throw({reason})"),
            Class::Error => format!(":erlang.error({reason})"),
            Class::Exit => format!("exit({reason})"),
        }
    }

    fn sequence(&self, first: &str, second: &str) -> String {
        format!("({first}; {second})")
    }

    fn bind(&self, pattern: &str, value: &str, body: &str) -> String {
        format!("({pattern} = {value}; {body})")
    }

    fn ended(&self) -> String {
        let wait = "receive do {:DOWN, ^ref, _, _, _} -> pid end";
        format!("(fn -> {{pid, ref}} = spawn_monitor(fn -> :ok end); {wait} end).()")
    }

    fn process(&self) -> &'static str {
        "p"
    }

    fn replying(&self, value: &str) -> String {
        let tag = "hd(Enum.filter(l, &is_reference/1) ++ [self()])";
        let reply = format!("l = Tuple.to_list(m); for f <- l, is_pid(f), do: send(f, {{{tag}, {value}}})");
        let answer = format!("receive do m when is_tuple(m) -> {reply} end");
        format!("spawn(fn -> Enum.each(Stream.repeatedly(fn -> {answer} end), & &1) end)")
    }

    fn answering(&self, value: &str) -> String {
        let question = "{:\"$gen_call\", from, _}";
        let answer = format!("receive do {question} -> GenServer.reply(from, {value}) end");
        format!("spawn(fn -> Enum.each(Stream.repeatedly(fn -> {answer} end), & &1) end)")
    }

    fn words(&self) -> &'static Words {
        &wording::ELIXIR
    }
}

fn all(clauses: &[Clause]) -> String {
    let text = |Clause { patterns, guards, body }: &Clause| {
        let when = match guards.as_slice() {
            [] => String::new(),
            guards => format!(" when {}", guards.join(" and ")),
        };
        format!("{}{when} -> {body}", patterns.join(", "))
    };
    clauses.iter().map(text).collect::<Vec<_>>().join("; ")
}
