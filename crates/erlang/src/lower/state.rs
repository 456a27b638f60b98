//! The state of the lowering of a module: its files and functions so far, the names in scope, and the variables of the
//! current module function.
//!
//! A module function and everything nested in it (anonymous functions, `letrec`s, join points) are lowered as a group
//! with one numbering of variables, in which shadowed names are different variables. Every variable knows the function
//! that binds it, so a use in another function is recognised as a capture at once; `lift` turns the group into closed
//! functions afterwards.

use super::core::{Anno, CoreName, Malformed, Result};
use super::names::Order;
use program::{Expr, FunctionId, Span, Var};
use rustc_hash::FxHashMap;
use term::{Atom, Term};

pub(super) struct Lowering {
    pub files: Files,
    /// The functions by `FunctionId`: the module's own functions first, then the lifted ones.
    pub drafts: Vec<Draft>,
    pub scope: Names,
    /// The variables of the current group by `Var`.
    pub vars: Vec<VarInfo>,
    /// The function whose body is being lowered.
    pub current: FunctionId,
    pub order: Order,
    /// Whether a pattern of the current clause matches no value at all.
    pub never_matches: bool,
}

/// An unfinished function, whose captures are not among the parameters yet.
pub(super) struct Draft {
    pub name: Atom,
    pub kind: Kind,
    pub exported: bool,
    /// The number of parameters without captures.
    pub arity: u32,
    pub params: Vec<Var>,
    pub body: Option<Expr>,
    pub span: Span,
    /// Variables of other functions that the body itself uses.
    pub free: Vec<Var>,
    /// Lifted functions that the body calls or makes closures of.
    pub refers_to: Vec<FunctionId>,
    /// Whether the code makes a closure of the function.
    pub is_value: bool,
    /// Whether it is a join point that returns its values in a tuple; see `values`.
    pub is_packed: bool,
    /// The closures that the body makes, in order.
    pub closures: Vec<FunctionId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Module,
    Lambda,
    Letrec,
    /// A function that raises `function_clause` on behalf of a function that was inlined.
    Stub,
    Join {
        host: FunctionId,
    },
}

pub(super) struct VarInfo {
    pub name: CoreName,
    pub binder: FunctionId,
    pub uses: u32,
    /// The function whose closure the variable holds, if that is known.
    pub closure_of: Option<FunctionId>,
}

impl Lowering {
    pub fn new() -> Lowering {
        Lowering {
            files: Files::default(),
            drafts: Vec::new(),
            scope: Names::default(),
            vars: Vec::new(),
            current: FunctionId(0),
            order: Order::default(),
            never_matches: false,
        }
    }

    pub fn add_function(&mut self, name: Atom, arity: u32, kind: Kind, span: Span) -> FunctionId {
        let id = FunctionId(self.drafts.len() as u32);
        self.drafts.push(Draft {
            name,
            kind,
            exported: false,
            arity,
            params: Vec::new(),
            body: None,
            span,
            free: Vec::new(),
            refers_to: Vec::new(),
            is_value: false,
            is_packed: false,
            closures: Vec::new(),
        });
        id
    }

    /// Returns the function that a stack trace shows for `id`.
    pub fn host(&self, id: FunctionId) -> FunctionId {
        match self.drafts[id.index()].kind {
            Kind::Join { host } => host,
            Kind::Module | Kind::Lambda | Kind::Letrec | Kind::Stub => id,
        }
    }

    /// Returns a new variable that has no name in the program.
    pub fn fresh(&mut self) -> Var {
        self.new_var(CoreName::Number(i64::MAX))
    }

    pub fn new_var(&mut self, name: CoreName) -> Var {
        let var = Var(self.vars.len() as u32);
        self.vars.push(VarInfo { name, binder: self.current, uses: 0, closure_of: None });
        var
    }

    pub fn bind(&mut self, name: CoreName) -> Var {
        let var = self.new_var(name);
        self.scope.set(Key::Var(name), Bound::Var(var));
        var
    }

    pub fn use_var(&mut self, var: Var) {
        let info = &mut self.vars[var.0 as usize];
        info.uses += 1;
        if info.binder != self.current {
            let free = &mut self.drafts[self.current.index()].free;
            if !free.contains(&var) {
                free.push(var);
            }
        }
    }

    pub fn info(&mut self, var: Var) -> &mut VarInfo {
        &mut self.vars[var.0 as usize]
    }

    pub fn is_used(&self, var: Var) -> bool {
        self.vars[var.0 as usize].uses > 0
    }

    pub fn refer_to(&mut self, function: FunctionId) {
        if self.drafts[function.index()].kind != Kind::Module {
            let refers_to = &mut self.drafts[self.current.index()].refers_to;
            if !refers_to.contains(&function) {
                refers_to.push(function);
            }
        }
    }

    pub fn look_up(&self, name: CoreName) -> Result<Bound> {
        self.scope.get(Key::Var(name)).ok_or_else(|| match name {
            CoreName::Number(number) => Malformed(format!("the unbound variable _{number}")),
            CoreName::Atom(atom) => Malformed(format!("the unbound variable {atom}")),
        })
    }

    pub fn look_up_function(&self, name: Atom, arity: u32) -> Result<FunctionId> {
        match self.scope.get(Key::Function(name, arity)) {
            Some(Bound::Function(id)) => Ok(id),
            _ => Err(Malformed(format!("the undefined function {name}/{arity}"))),
        }
    }

    pub fn span(&mut self, anno: Anno<'_>) -> Span {
        match anno.location() {
            None => Span::default(),
            Some((line, column)) => Span { file: self.files.number(anno.file()), line, column },
        }
    }
}

/// The variable or function that a name refers to.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    Var(Var),
    Function(FunctionId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Var(CoreName),
    Function(Atom, u32),
}

/// The names in scope, with a trail for leaving inner scopes.
#[derive(Default)]
pub(super) struct Names {
    bound: FxHashMap<Key, Bound>,
    trail: Vec<(Key, Option<Bound>)>,
}

#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Names {
    pub fn set(&mut self, key: Key, bound: Bound) {
        let shadowed = self.bound.insert(key, bound);
        self.trail.push((key, shadowed));
    }

    pub fn get(&self, key: Key) -> Option<Bound> {
        self.bound.get(&key).copied()
    }

    pub fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Removes the bindings that were made since the mark.
    pub fn leave(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            match self.trail.pop() {
                Some((key, Some(shadowed))) => drop(self.bound.insert(key, shadowed)),
                Some((key, None)) => drop(self.bound.remove(&key)),
                None => return,
            }
        }
    }
}

/// The module's source files. Almost every node is in the same file as the one before it.
#[derive(Default)]
pub(super) struct Files {
    names: Vec<Term>,
    last: usize,
}

impl Files {
    fn number(&mut self, file: Option<&Term>) -> u16 {
        let Some(file) = file else { return 0 };
        if self.names.get(self.last) != Some(file) {
            self.last = match self.names.iter().position(|known| known == file) {
                Some(known) => known,
                None if self.names.len() < usize::from(u16::MAX) => {
                    self.names.push(file.clone());
                    self.names.len() - 1
                }
                None => 0,
            };
        }
        self.last as u16
    }

    /// Adds a file. The first one is the module's own.
    pub fn add(&mut self, file: &Term) {
        self.number(Some(file));
    }

    pub fn into_texts(self) -> Vec<String> {
        self.names.iter().map(|name| name.as_text().unwrap_or_else(|| "?".into())).collect()
    }
}
