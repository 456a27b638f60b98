//! The specification of a function, as types in normal form: which inputs it allows and which results.
//!
//! A declared type is first closed (`declarations`, `shape`): variables are replaced by their bounds or by the
//! arguments of the definition, and every closed type exists once, so recursion is a cycle of names. `graph` then
//! writes closed types as nodes of `formula::Types`. Values of another module's opaque types are never built directly:
//! `recipe` finds the parts of a parameter that have such a type, and `constructor` finds the exported functions that
//! make one.
//!
//! This crate knows no machine, no solver and no file.

mod breach;
mod client;
mod compare;
mod constructor;
mod declarations;
mod form;
mod graph;
mod inhabited;
mod limit;
mod recipe;
mod shape;

pub use breach::{Breach, Part, breach};
pub use form::{Choice, Form};
pub use limit::{Limit, TypeName};

use declarations::{Declarations, Structures, TypeVariables};
use formula::{LARGEST_BITS, LARGEST_PARTS, TypeId, Types};
use graph::Graph;
use path::Client;
use program::{Module, SpecClause, Type, TypeDef};
use recipe::{Possible, RecipeBuilder};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use term::{Atom, Term};

/// A provider of the definitions of types.
pub trait Modules {
    fn module(&mut self, name: Atom) -> Option<Arc<Module>>;

    /// Returns a type that the language itself defines under the name of this module.
    fn built_in_type(&mut self, _module: Atom, _name: Atom, _arity: usize) -> Option<TypeDef> {
        None
    }
}

/// The inputs and results of a function.
#[derive(Clone, Debug)]
pub struct Contract {
    pub types: Arc<Types>,
    /// The clauses of an overloaded specification; without a specification, a single clause that allows any terms.
    pub clauses: Vec<Clause>,
    /// Whether there is a specification. A callback that leaves a parameter open to its implementations does not count:
    /// only the implementation knows which terms are meant there.
    pub declared: bool,
    /// The behaviour whose callback serves as the specification, if the function has none of its own.
    pub behaviour: Option<Atom>,
    /// The parts of the specification that are not represented exactly.
    pub limits: Vec<Limit>,
    /// The actions of clients, if the unit is the clients of a module.
    pub client: Option<Arc<Client>>,
}

#[derive(Clone, Debug)]
pub struct Clause {
    /// How arguments are made. `None` if no value can be made for some parameter.
    pub params: Option<Vec<Recipe>>,
    /// The parameters as sets of values, for membership tests. Opaque types are their representations.
    pub accepts: Vec<TypeId>,
    pub result: TypeId,
    /// Whether some parameter has an opaque type of the function's own module. Such values are built directly, so the
    /// module itself might never make them.
    pub by_hand: bool,
}

/// A way to make an input. Every part has values; no `Data` contains an opaque type.
#[derive(Clone, Debug)]
pub enum Recipe {
    /// A term of this type.
    Data(TypeId),
    /// A value of another module's opaque type, made by one of these exported functions, the simplest first. A call
    /// that fails makes no value: it is neither an input nor a finding.
    Made(Vec<Constructor>),
    /// A tuple of these parts.
    Tuple(Vec<Recipe>),
    /// A proper list of exactly these items.
    List(Vec<Recipe>),
    /// A map of the type `others`, with these associations put into it.
    Map { others: TypeId, fields: Vec<Association> },
    /// A process that is given to the function (`path::Stranger`).
    Process,
    /// One of these recipes. There are at least two.
    OneOf(Vec<Recipe>),
}

#[derive(Clone, Debug)]
pub struct Association {
    pub key: Recipe,
    pub value: Recipe,
    /// Whether every map has this association.
    pub required: bool,
}

#[derive(Clone, Debug)]
pub struct Constructor {
    pub module: Atom,
    pub function: Atom,
    pub args: Vec<Recipe>,
}

impl Contract {
    /// Returns the contract of a function of `module`, which allows any terms if the function has no specification.
    pub fn of(module: &Module, function: Atom, arity: u32, modules: &mut dyn Modules) -> Contract {
        Contract::build(module, function, arity, modules, Structures::Built).0
    }

    /// Returns the same contract, except that structures for which their modules have constructors are made by calls of
    /// these, like values of opaque types. `None` if there is no such structure.
    pub fn of_made_structures(
        module: &Module,
        function: Atom,
        arity: u32,
        modules: &mut dyn Modules,
    ) -> Option<Contract> {
        let (contract, has_made_structures) = Contract::build(module, function, arity, modules, Structures::Made);
        has_made_structures.then_some(contract)
    }

    fn build(
        module: &Module,
        function: Atom,
        arity: u32,
        modules: &mut dyn Modules,
        structures: Structures,
    ) -> (Contract, bool) {
        let of_function = |spec: &&program::Spec| spec.name == function && spec.arity == arity;
        let own = module.types.specs.iter().find(of_function);
        let behaviour = match own {
            Some(_) => None,
            None => behaviours(module).find_map(|name| {
                let behaviour = modules.module(name)?;
                behaviour.types.callbacks.iter().any(|callback| of_function(&callback)).then_some(behaviour)
            }),
        };
        let spec = own.or_else(|| behaviour.as_ref()?.types.callbacks.iter().find(of_function));
        // The module with the specification resolves the names of types in it.
        let home = behaviour.as_ref().map_or(module.name, |behaviour| behaviour.name);
        let fits = |clause: &&SpecClause| clause.params.len() == arity as usize;
        let declared: Vec<&SpecClause> = spec.iter().flat_map(|spec| &spec.clauses).filter(fits).collect();
        if declared.is_empty() {
            return (Contract::of_anything(arity), false);
        }
        let mut declarations = Declarations::new(module, modules, structures);
        let mut graph = Graph::new();
        let mut clauses = Vec::new();
        for clause in &declared {
            let mut scope = TypeVariables { known: FxHashMap::default(), bounds: &clause.bounds, open: false };
            let mut close = |declared| declarations.close(home, declared, &mut scope);
            let params: Vec<_> = clause.params.iter().map(&mut close).collect();
            let result = close(&clause.result);
            clauses.push(Clause {
                params: RecipeBuilder::new(&mut declarations, &mut graph).inputs(&params),
                accepts: params.iter().map(|param| graph.id(&mut declarations, *param)).collect(),
                result: graph.id(&mut declarations, result),
                by_hand: params.iter().any(|param| declarations.has_own_opaque(*param)),
            });
        }
        let (types, is_whole) = graph.finish(&mut declarations);
        if !is_whole {
            // The nodes that were not built are wider than their declared types, so no inputs are made from them.
            declarations.limit(Limit::TooManyAlternatives);
            clauses.iter_mut().for_each(|clause| clause.params = None);
        }
        for (clause, said) in clauses.iter_mut().zip(&declared) {
            for (number, (of, param)) in clause.accepts.iter().zip(&said.params).enumerate() {
                if inhabited::is_empty(types.node(*of)) {
                    let parameter = number as u32 + 1;
                    declarations.limit(Limit::NoValues { parameter, of: type_name(home, param) });
                }
            }
            let mut possible = Possible::new(&types);
            clause.params = clause.params.take().and_then(|params| possible.all(params));
            if possible.huge {
                declarations.limit(Limit::OnlyHugeValues { parts: LARGEST_PARTS, bits: LARGEST_BITS });
            }
        }
        let behaviour = behaviour.as_ref().map(|behaviour| behaviour.name);
        let leaves_open = |clause: &Clause| clause.accepts.contains(&Types::ANY);
        let declared = behaviour.is_none() || !clauses.iter().any(leaves_open);
        let Declarations { limits, has_made_structures, .. } = declarations;
        let contract = Contract { types: Arc::new(types), clauses, declared, behaviour, limits, client: None };
        (contract, has_made_structures)
    }

    fn of_anything(arity: u32) -> Contract {
        let clause = Clause {
            params: Some((0..arity).map(|_| Recipe::Data(Types::ANY)).collect()),
            accepts: vec![Types::ANY; arity as usize],
            result: Types::ANY,
            by_hand: false,
        };
        Contract {
            types: Arc::new(Types::default()),
            clauses: vec![clause],
            declared: false,
            behaviour: None,
            limits: Vec::new(),
            client: None,
        }
    }

    /// Returns whether the specification allows the result for these arguments. If it is overloaded, some clause for
    /// these arguments must allow it. Arguments outside the specification allow any result.
    pub fn allows(&self, args: &[Term], result: &Term) -> bool {
        let mut clauses = self.clauses.iter().filter(|clause| clause.covers(&self.types, args)).peekable();
        clauses.peek().is_none() || clauses.any(|clause| self.types.contains(clause.result, result))
    }
}

/// Returns the name of a type, if it has one.
fn type_name(home: Atom, declared: &Type) -> Option<TypeName> {
    match declared {
        Type::Named { module, name, args } => {
            Some(TypeName { module: module.unwrap_or(home), name: *name, arity: args.len() as u32 })
        }
        _ => None,
    }
}

/// Returns the behaviours that a module declares to implement.
fn behaviours(module: &Module) -> impl Iterator<Item = Atom> + '_ {
    let attributes = module.attributes.iter().filter(|(name, _)| matches!(name.text(), "behaviour" | "behavior"));
    let values = attributes.flat_map(|(_, value)| value.as_list().unwrap_or(std::slice::from_ref(value)));
    values.filter_map(Term::as_atom)
}

impl Clause {
    /// Returns whether the clause covers these arguments.
    pub fn covers(&self, types: &Types, args: &[Term]) -> bool {
        self.accepts.len() == args.len() && self.accepts.iter().zip(args).all(|(of, arg)| types.contains(*of, arg))
    }
}

/// Does work that recurses along declarations. They may be nested to any depth, so this grows the stack.
pub(crate) fn deep<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 1 << 20, work)
}
