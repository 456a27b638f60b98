//! Contracts of real modules, and their types as text.

use contract::{Association, Constructor, Contract, Modules, Recipe};
use formula::{Atoms, Range, TypeId, TypeNode, Types};
use loader::{Loader, LoaderConfig};
use program::{Module, TypeDef};
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;
use term::{Atom, Term};

pub struct Code {
    loader: Loader,
    _folder: TempDir,
}

impl Code {
    /// Erlang modules by name, besides those of OTP.
    pub fn new(sources: &[(&str, &str)]) -> Code {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let lower = |core: &Term| erlang::lower_core(core).map_err(|error| error.to_string());
        let mut config = LoaderConfig::new(lower);
        config.cache_dir = loader::cache_dir(None);
        config.sources = sources.iter().map(|(name, text)| write(&folder, name, text)).collect();
        Code { loader: Loader::new(config).expect("a loader"), _folder: folder }
    }

    pub fn contract(&mut self, module: &str, function: &str, arity: u32) -> Contract {
        let module = self.module(Atom::new(module)).expect("a module");
        Contract::of(&module, Atom::new(function), arity, self)
    }

    pub fn made_structures(&mut self, module: &str, function: &str, arity: u32) -> Option<Contract> {
        let module = self.module(Atom::new(module)).expect("a module");
        Contract::of_made_structures(&module, Atom::new(function), arity, self)
    }
}

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let file = folder.path().join(format!("{name}.erl"));
    std::fs::write(&file, format!("-module({name}).\n{text}")).expect("writable");
    file
}

impl Modules for Code {
    fn module(&mut self, name: Atom) -> Option<Arc<Module>> {
        self.loader.load(name).expect("code that can be read")
    }

    fn built_in_type(&mut self, module: Atom, name: Atom, arity: usize) -> Option<TypeDef> {
        erlang::builtin_definition(name, arity).filter(|_| module.text() == "erlang").cloned()
    }
}

/// `(params) -> result` for each clause.
pub fn show(contract: &Contract) -> String {
    let clause = |clause: &contract::Clause| {
        let params = match &clause.params {
            Some(params) => {
                params.iter().map(|param| show_input(&contract.types, param)).collect::<Vec<_>>().join(", ")
            }
            None => "impossible".to_owned(),
        };
        format!("({params}) -> {}", show_type(&contract.types, clause.result))
    };
    contract.clauses.iter().map(clause).collect::<Vec<_>>().join("; ")
}

pub fn show_input(types: &Types, input: &Recipe) -> String {
    let all = |inputs: &[Recipe]| inputs.iter().map(|input| show_input(types, input)).collect::<Vec<_>>().join(", ");
    match input {
        Recipe::Data(id) => show_type(types, *id),
        Recipe::Process => "a process".to_string(),
        Recipe::Made(constructors) => {
            let call = |made: &Constructor| format!("{}:{}({})", made.module, made.function, all(&made.args));
            constructors.iter().map(call).collect::<Vec<_>>().join(" / ")
        }
        Recipe::Tuple(parts) => format!("{{{}}}", all(parts)),
        Recipe::List(items) => format!("[{}]", all(items)),
        Recipe::Map { others, fields } => {
            let field = |field: &Association| {
                let sign = if field.required { ":=" } else { "=>" };
                format!("{} {sign} {}", show_input(types, &field.key), show_input(types, &field.value))
            };
            let fields: Vec<_> = fields.iter().map(field).collect();
            format!("{} + #{{{}}}", show_type(types, *others), fields.join(", "))
        }
        Recipe::OneOf(ways) => {
            format!("<{}>", ways.iter().map(|way| show_input(types, way)).collect::<Vec<_>>().join(" or "))
        }
    }
}

/// Number of parts.
pub fn size(input: &Recipe) -> usize {
    let all = |inputs: &[Recipe]| inputs.iter().map(size).sum::<usize>();
    1 + match input {
        Recipe::Data(_) | Recipe::Process => 0,
        Recipe::Made(constructors) => constructors.iter().map(|made| all(&made.args)).sum(),
        Recipe::Tuple(parts) | Recipe::List(parts) | Recipe::OneOf(parts) => all(parts),
        Recipe::Map { fields, .. } => fields.iter().map(|field| size(&field.key) + size(&field.value)).sum(),
    }
}

/// The types of all data in it.
pub fn data(input: &Recipe) -> Vec<TypeId> {
    let all = |inputs: &[Recipe]| inputs.iter().flat_map(data).collect();
    match input {
        Recipe::Data(id) => vec![*id],
        Recipe::Process => Vec::new(),
        Recipe::Made(constructors) => constructors.iter().flat_map(|made| made.args.iter().flat_map(data)).collect(),
        Recipe::Tuple(parts) | Recipe::List(parts) | Recipe::OneOf(parts) => all(parts),
        Recipe::Map { others, fields } => fields
            .iter()
            .flat_map(|field| [data(&field.key), data(&field.value)].concat())
            .chain(std::iter::once(*others))
            .collect(),
    }
}

pub fn show_type(types: &Types, id: TypeId) -> String {
    Show { types, around: Vec::new() }.of(id)
}

const DEEPEST_SHOWN: usize = 6;

struct Show<'a> {
    types: &'a Types,
    around: Vec<TypeId>,
}

impl Show<'_> {
    /// `^n`: the type n levels up.
    fn of(&mut self, id: TypeId) -> String {
        let node = self.types.node(id);
        if *node == TypeNode::any() {
            return "any".to_owned();
        }
        if let Some(up) = self.around.iter().rev().position(|other| *other == id) {
            return format!("^{up}");
        }
        if self.around.len() == DEEPEST_SHOWN {
            return "...".to_owned();
        }
        self.around.push(id);
        let parts = self.parts(node);
        self.around.pop();
        if parts.is_empty() { "none".to_owned() } else { parts.join(" | ") }
    }

    fn all(&mut self, ids: &[TypeId]) -> String {
        ids.iter().map(|id| self.of(*id)).collect::<Vec<_>>().join(", ")
    }

    fn parts(&mut self, node: &TypeNode) -> Vec<String> {
        let mut parts: Vec<String> = node.integers.iter().map(range).collect();
        let mut when = |holds: bool, text: &str| {
            if holds {
                parts.push(text.to_owned());
            }
        };
        when(node.floats, "float");
        match &node.atoms {
            Atoms::All => when(true, "atom"),
            Atoms::These(atoms) => atoms.iter().for_each(|atom| when(true, atom.text())),
        }
        when(node.any_tuple, "tuple");
        when(node.any_map, "map");
        when(node.any_function, "fun");
        when(node.pids, "pid");
        when(node.references, "reference");
        when(node.ports, "port");
        when(node.nil, "[]");
        for cons in &node.cons {
            parts.push(format!("[{} | {}]", self.of(cons.head), self.of(cons.tail)));
        }
        for tuple in &node.tuples {
            parts.push(format!("{{{}}}", self.all(tuple)));
        }
        for fields in &node.maps {
            let mut shown = Vec::new();
            for field in fields {
                let arrow = if field.required { ":=" } else { "=>" };
                shown.push(format!("{} {arrow} {}", self.of(field.key), self.of(field.value)));
            }
            parts.push(format!("#{{{}}}", shown.join(", ")));
        }
        parts.extend(node.bits.iter().map(|bits| format!("<<{}+{}n>>", bits.base, bits.unit)));
        for function in &node.functions {
            let params = function.params.as_ref().map_or("...".to_owned(), |params| self.all(params));
            parts.push(format!("fun(({params}) -> {})", self.of(function.result)));
        }
        for opaque in &node.opaque {
            let args = self.all(&opaque.args);
            parts.push(format!("opaque {}:{}({args})", opaque.module, opaque.name));
        }
        parts
    }
}

fn range(range: &Range) -> String {
    let bound = |bound: &Option<_>| bound.as_ref().map_or(String::new(), |bound: &term::BigInt| bound.to_string());
    match (&range.low, &range.high) {
        (None, None) => "integer".to_owned(),
        (low, high) if low == high => bound(low),
        (low, high) => format!("{}..{}", bound(low), bound(high)),
    }
}
