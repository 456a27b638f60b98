//! The notations of Erlang and Elixir for reports.

use erlang::syntax::elixir::{self, Elixir, Structs, is_elixir};
use erlang::syntax::{Erlang, Notation, print_applied, print_functional};
use loader::Loader;
use path::{InputValue, Value, Witness};
use program::{Expr, Module};
use report::{Name, Printer, Printers};
use std::sync::Arc;
use term::{Atom, Term};

/// Of each module the one that it was written in.
pub struct Languages {
    loaders: Loaders,
    elixir: Language,
}

/// One for each project.
#[derive(Clone)]
struct Loaders(Arc<[Arc<Loader>]>);

impl Loaders {
    /// The module of the user's, or of the first that finds it.
    fn load(&self, name: Atom) -> Option<Arc<Module>> {
        let is_own = |loader: &&Arc<Loader>| loader.source_modules().any(|(module, _)| module == name);
        let own = self.0.iter().find(is_own).or(self.0.first())?;
        own.load(name).ok().flatten()
    }
}

pub enum Language {
    Erlang,
    Elixir(Elixir),
}

impl Languages {
    pub fn new(loaders: Vec<Arc<Loader>>) -> Languages {
        let loaders = Loaders(loaders.into());
        let structs = Box::new(LoadedStructs(loaders.clone()));
        Languages { loaders, elixir: Language::Elixir(Elixir { structs }) }
    }

    /// A struct with nothing but its defaults.
    pub fn struct_fields(&self, module: Atom) -> Option<Vec<(Term, Term)>> {
        struct_fields(&self.loaders, module)
    }

    pub fn language(&self, module: Atom) -> &Language {
        // A module may have any name, but not any source.
        let is_source = || {
            let module = self.loaders.load(module);
            module.is_some_and(|module| module.files.first().is_some_and(|file| file.ends_with(".ex")))
        };
        if is_elixir(module) || is_source() { &self.elixir } else { &Language::Erlang }
    }
}

impl Printers for Languages {
    fn of(&self, module: Atom) -> &dyn Printer {
        self.language(module)
    }
}

/// Structs of the modules that can be loaded.
struct LoadedStructs(Loaders);

impl Structs for LoadedStructs {
    fn fields(&self, module: Atom) -> Option<Vec<Atom>> {
        let fields = struct_fields(&self.0, module)?;
        let names = fields.iter().filter_map(|(key, _)| key.as_atom());
        Some(names.filter(|name| name.text() != "__struct__").collect())
    }
}

fn struct_fields(loaders: &Loaders, module: Atom) -> Option<Vec<(Term, Term)>> {
    let module = loaders.load(module)?;
    let function = module.function(module.find(Atom::new("__struct__"), 0)?);
    // What is computed there is not known here: such a struct is shown as a map.
    let Ok(Expr::Const(Term::Map(fields))) = function.body.get() else { return None };
    Some(fields.to_vec())
}

impl Language {
    pub fn notation(&self) -> &dyn Notation {
        match self {
            Language::Erlang => &Erlang,
            Language::Elixir(elixir) => elixir,
        }
    }

    /// A numbered variable: `X1`, `x1`.
    pub fn variable(&self, word: &str, number: usize) -> String {
        match self {
            Language::Erlang => format!("{word}{number}"),
            Language::Elixir(_) => format!("{}{number}", word.to_lowercase()),
        }
    }
}

impl Printer for Language {
    fn term(&self, term: &Term) -> String {
        self.notation().term(term)
    }

    fn input(&self, input: &InputValue, strict: bool) -> String {
        let notation = self.notation();
        let all = |inputs: &[InputValue]| inputs.iter().map(|input| self.input(input, strict)).collect::<Vec<_>>();
        let value = |value: &Value| match &value.functions {
            Some(functions) => print_functional(notation, &value.data, functions, strict),
            None => self.term(&value.data),
        };
        match input {
            InputValue::Data(data) => value(data),
            InputValue::Call { module, function, args } => self.call(*module, *function, &all(args)),
            InputValue::Tuple(parts) => notation.tuple(&all(parts)),
            InputValue::List(parts) => notation.list(&all(parts), None),
            InputValue::Map { others, fields } => {
                let field =
                    |(key, value): &(InputValue, InputValue)| (self.input(key, strict), self.input(value, strict));
                let fields: Vec<(String, String)> = fields.iter().map(field).collect();
                match &others.data {
                    Term::Map(pairs) if pairs.is_empty() => notation.map(&fields),
                    _ => notation.updated(&value(others), &fields),
                }
            }
        }
    }

    fn module(&self, module: Atom) -> String {
        match self {
            Language::Erlang => module.text().to_string(),
            Language::Elixir(_) => self.term(&Term::Atom(module)),
        }
    }

    fn function(&self, name: Name) -> String {
        self.notation().function_name(name.module, name.function, name.arity)
    }

    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String {
        self.notation().call(module, function, args)
    }

    fn applied(&self, call: String, functions: &Witness, strict: bool) -> String {
        print_applied(self.notation(), call, functions, strict)
    }

    fn type_name(&self, term: &Term) -> Option<Atom> {
        elixir::struct_name(term)
    }

    fn raised(&self, class: Atom, reason: &Term, shown: &str) -> String {
        match (self, shown.lines().next().and_then(|line| line.strip_prefix("** "))) {
            (Language::Elixir(_), Some(banner)) => banner.to_string(),
            _ => format!("{class} {}", self.term(reason)),
        }
    }

    fn runtime(&self) -> &'static str {
        "the BEAM"
    }

    fn end_of_input(&self) -> &'static str {
        match self {
            Language::Erlang => ".",
            Language::Elixir(_) => "",
        }
    }
}
