//! Scenarios of clients as statements that can be pasted into a shell.

use crate::printing::{input, one_map};
use erlang::syntax::{Clause, Notation};
use path::{Act, Argument, At, InputValue, Scenario, Value, Witness};
use std::sync::Arc;
use term::{Atom, Term};

/// Returns a statement for each step of a client. Parts of results that later steps need are bound to variables.
pub fn statements(
    notation: &dyn Notation,
    scenario: &Scenario,
    functions: &Arc<Witness>,
    is_lower: bool,
) -> Vec<String> {
    let variables = Variables::of(scenario, is_lower);
    let argument = |argument: &Argument| variables.argument(notation, argument, functions);
    let atom = |name: &str| notation.term(&Term::atom(name));
    let call =
        |module: &str, function: &str, args: &[String]| notation.call(Atom::new(module), Atom::new(function), args);
    let mut statements = Vec::with_capacity(scenario.steps.len());
    for (number, step) in scenario.steps.iter().enumerate() {
        let statement = match &step.act {
            Act::Call { function, args, catches } => {
                let args: Vec<String> = args.iter().map(argument).collect();
                let call = notation.call(function.module, function.function, &args);
                match catches {
                    true => {
                        notation.try_call(&call, &[ignoring(&["_"], atom("ok"))], &[ignoring(&["_", "_"], atom("ok"))])
                    }
                    false => call,
                }
            }
            Act::Apply { function, args } => {
                let args: Vec<String> = args.iter().map(argument).collect();
                notation.apply(&argument(function), &args)
            }
            Act::Send { to, message } => call("erlang", "send", &[argument(to), argument(message)]),
            Act::Wait { time } => call("timer", "sleep", &[argument(time)]),
            Act::Bring => {
                let forever = notation.list(&[atom("infinity")], None);
                call("erlang", "spawn", &[atom("timer"), atom("sleep"), forever])
            }
            Act::Kill { process } => call("erlang", "exit", &[argument(process), atom("kill")]),
            Act::Check { function, of, is_state } => {
                let of = match is_state {
                    true => call("sys", "get_state", &[argument(of)]),
                    false => argument(of),
                };
                format!("{} = {}", atom("true"), notation.call(function.module, function.function, &[of]))
            }
        };
        let bound = variables.bound_by(number as u32);
        match (&step.returned, bound.is_empty()) {
            (Some(returned), false) => {
                statements.push(format!("{} = {statement}", pattern(notation, returned, &bound)));
            }
            _ => statements.push(statement),
        }
    }
    statements
}

/// Returns a clause whose patterns accept everything.
fn ignoring(patterns: &[&str], body: String) -> Clause {
    Clause { patterns: patterns.iter().map(|pattern| (*pattern).to_string()).collect(), guards: Vec::new(), body }
}

/// The variables for the parts of results that later steps need.
struct Variables {
    names: Vec<(u32, Vec<At>, String)>,
}

impl Variables {
    fn of(scenario: &Scenario, is_lower: bool) -> Variables {
        let mut needed: Vec<(u32, Vec<At>)> = Vec::new();
        for step in &scenario.steps {
            let mut open: Vec<&Argument> = step.act.arguments();
            while let Some(argument) = open.pop() {
                if let Argument::Part { step, at } = argument
                    && needed.iter().all(|other| other != &(*step, at.clone()))
                {
                    needed.push((*step, at.clone()));
                }
                open.extend(argument.parts());
            }
        }
        needed.sort_by_key(|(step, _)| *step);
        let word = |step: u32, at: &[At]| {
            let returned = scenario.steps.get(step as usize).and_then(|step| step.returned.as_ref());
            match returned.and_then(|term| part_of(term, at)) {
                Some(Term::Pid(_)) => "Pid",
                Some(Term::Reference(_)) => "Ref",
                Some(Term::Port(_)) => "Port",
                Some(Term::Fun(_)) => "Fun",
                _ => "Value",
            }
        };
        let words: Vec<&str> = needed.iter().map(|(step, at)| word(*step, at)).collect();
        let mut names = Vec::with_capacity(needed.len());
        for (index, (step, at)) in needed.into_iter().enumerate() {
            let word = words[index];
            let count = words.iter().filter(|other| **other == word).count();
            let number = words[..index].iter().filter(|other| **other == word).count() + 1;
            let name = if count == 1 { word.to_string() } else { format!("{word}{number}") };
            names.push((step, at, if is_lower { name.to_lowercase() } else { name }));
        }
        Variables { names }
    }

    fn bound_by(&self, number: u32) -> Vec<(&[At], &str)> {
        let own = self.names.iter().filter(|(step, ..)| *step == number);
        own.map(|(_, at, name)| (at.as_slice(), name.as_str())).collect()
    }

    fn argument(&self, notation: &dyn Notation, argument: &Argument, functions: &Arc<Witness>) -> String {
        let all =
            |parts: &[Argument]| parts.iter().map(|part| self.argument(notation, part, functions)).collect::<Vec<_>>();
        match argument {
            Argument::Data { value, .. } => {
                input(notation, &InputValue::Data(Value::new(value.clone(), Some(functions))), false)
            }
            Argument::Fixed(term) => notation.expression(term),
            Argument::Part { step, at } => {
                let is_it = |(source, place, _): &&(u32, Vec<At>, String)| source == step && place == at;
                self.names.iter().find(is_it).map_or_else(String::new, |(_, _, name)| name.clone())
            }
            Argument::Tuple(parts) => notation.tuple(&all(parts)),
            Argument::List(parts) => notation.list(&all(parts), None),
            Argument::Map { others, fields } => {
                let field = |(key, value): &(Argument, Argument)| {
                    (self.argument(notation, key, functions), self.argument(notation, value, functions))
                };
                let fields: Vec<(String, String)> = fields.iter().map(field).collect();
                let whole = match &**others {
                    Argument::Data { value, .. } => one_map(notation, value, &fields),
                    _ => None,
                };
                whole.unwrap_or_else(|| notation.updated(&self.argument(notation, others, functions), &fields))
            }
        }
    }
}

/// Returns the part of a term at a position.
fn part_of<'t>(term: &'t Term, at: &[At]) -> Option<&'t Term> {
    at.iter().try_fold(term, |term, step| match (step, term) {
        (At::Element(index), Term::Tuple(parts)) => parts.get(*index as usize),
        (At::Item(index), Term::List(items, _)) => items.get(*index as usize),
        (At::Value(key), Term::Map(pairs)) => pairs.iter().find(|(own, _)| own == key).map(|(_, value)| value),
        _ => None,
    })
}

/// Returns a pattern for a result that binds these parts of it and is otherwise as general as possible.
fn pattern(notation: &dyn Notation, returned: &Term, bound: &[(&[At], &str)]) -> String {
    if let Some((_, name)) = bound.iter().find(|(at, _)| at.is_empty()) {
        return (*name).to_string();
    }
    let below = |step: &At| -> Vec<(&[At], &str)> {
        let inside = bound.iter().filter(|(at, _)| at.first() == Some(step));
        inside.map(|(at, name)| (&at[1..], *name)).collect()
    };
    let part = |step: &At, part: &Term| match below(step) {
        inside if inside.is_empty() => "_".to_string(),
        inside => pattern(notation, part, &inside),
    };
    match returned {
        Term::Tuple(parts) => {
            let element = |(index, element): (usize, &Term)| match element {
                Term::Atom(_) if index == 0 => notation.term(element),
                _ => part(&At::Element(index as u32), element),
            };
            notation.tuple(&parts.iter().enumerate().map(element).collect::<Vec<_>>())
        }
        Term::List(items, _) => {
            let needed = |index: usize| !below(&At::Item(index as u32)).is_empty();
            let last = (0..items.len()).rev().find(|index| needed(*index)).unwrap_or(0);
            let items =
                items.iter().enumerate().take(last + 1).map(|(index, item)| part(&At::Item(index as u32), item));
            notation.list(&items.collect::<Vec<_>>(), Some("_"))
        }
        Term::Map(pairs) => {
            let needed = pairs.iter().filter(|(key, _)| !below(&At::Value(key.clone())).is_empty());
            let pair = |(key, value): &(Term, Term)| (notation.term(key), part(&At::Value(key.clone()), value));
            notation.map_pattern(&needed.map(pair).collect::<Vec<_>>())
        }
        _ => "_".to_string(),
    }
}
