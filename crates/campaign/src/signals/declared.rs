//! What the specification of a function says, as far as the ranking uses it.

use frontend::Code;
use program::{Module, Type};
use std::collections::HashSet;
use std::sync::Arc;
use term::{Atom, FunctionName, Term, names};

#[derive(Default)]
pub struct Declared {
    /// A result is `error` or `{error, _}`.
    pub error_return: bool,
    /// A result stands for nothing: `undefined`, `nil`.
    pub empty_return: bool,
    pub any_parameter: bool,
    /// Atoms that the types of the module name.
    pub atoms: HashSet<Atom>,
}

/// Definitions that are followed, one inside of the other.
const DEEPEST: usize = 8;

impl Declared {
    pub fn of(code: &dyn Code, module: &Arc<Module>, name: FunctionName) -> Declared {
        let mut declared = Declared::default();
        let types = &module.types;
        for definition in &types.definitions {
            collect_atoms(&definition.body, &mut declared.atoms);
        }
        for clause in types.specs.iter().flat_map(|spec| &spec.clauses) {
            let bounds = clause.bounds.iter().map(|(_, bound)| bound);
            clause.params.iter().chain([&clause.result]).chain(bounds).for_each(|part| {
                collect_atoms(part, &mut declared.atoms);
            });
        }
        let own = types.specs.iter().filter(|spec| (spec.name, spec.arity) == (name.function, name.arity));
        for clause in own.flat_map(|spec| &spec.clauses) {
            let scope = TypeContext { code, module, bounds: &clause.bounds };
            scope.each_alternative(&clause.result, DEEPEST, &mut |result| match result {
                Type::Literal(Term::Atom(names::ERROR)) => declared.error_return = true,
                Type::Literal(Term::Atom(atom)) if is_nothing(*atom) => declared.empty_return = true,
                Type::Tuple(parts) => {
                    declared.error_return |= parts.first() == Some(&Type::Literal(Term::Atom(names::ERROR)));
                }
                _ => {}
            });
            for param in &clause.params {
                scope.each_alternative(param, DEEPEST, &mut |part| declared.any_parameter |= *part == Type::Any);
            }
        }
        declared
    }
}

fn is_nothing(atom: Atom) -> bool {
    matches!(atom.text(), "undefined" | "nil" | "none" | "not_found" | "invalid" | "ignore" | "false")
}

/// Where a type stands.
struct TypeContext<'a> {
    code: &'a dyn Code,
    module: &'a Arc<Module>,
    bounds: &'a [(Atom, Type)],
}

impl TypeContext<'_> {
    /// Shows the alternatives of a type, with names and variables replaced by what they stand for.
    fn each_alternative(&self, declared: &Type, depth: usize, show: &mut dyn FnMut(&Type)) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match declared {
            Type::Union(parts) => parts.iter().for_each(|part| self.each_alternative(part, depth, show)),
            Type::Var(name) => match self.bounds.iter().find(|(bound, _)| bound == name) {
                Some((_, bound)) => self.each_alternative(bound, depth, show),
                None => show(&Type::Any),
            },
            Type::Named { module, name, args } => {
                let owner = module.filter(|module| *module != self.module.name);
                let loaded = match owner {
                    Some(owner) => self.code.load(owner).ok().flatten(),
                    None => Some(Arc::clone(self.module)),
                };
                let Some(loaded) = loaded else { return show(declared) };
                let mut definitions = loaded.types.definitions.iter();
                let is_meant =
                    |definition: &&program::TypeDef| definition.name == *name && definition.params.len() == args.len();
                match definitions.find(is_meant) {
                    Some(definition) if !definition.opaque || owner.is_none() => {
                        let bounds: Vec<(Atom, Type)> =
                            definition.params.iter().copied().zip(args.iter().cloned()).collect();
                        let scope = TypeContext { code: self.code, module: &loaded, bounds: &bounds };
                        scope.each_alternative(&definition.body, depth, show);
                    }
                    _ => show(declared),
                }
            }
            other => show(other),
        }
    }
}

/// Types are nested only so deep (`program::DEEPEST_TYPE`), but a worklist costs nothing.
fn collect_atoms(declared: &Type, atoms: &mut HashSet<Atom>) {
    let mut left = vec![declared];
    while let Some(next) = left.pop() {
        match next {
            Type::Literal(Term::Atom(atom)) => {
                atoms.insert(*atom);
            }
            Type::List { element, tail, .. } => left.extend([&**element, &**tail]),
            Type::Tuple(parts) | Type::Union(parts) | Type::Named { args: parts, .. } => left.extend(parts),
            Type::Map(fields) => left.extend(fields.iter().flat_map(|field| [&field.key, &field.value])),
            Type::Fun(function) => {
                left.push(&function.result);
                left.extend(function.params.iter().flatten());
            }
            Type::Any
            | Type::None
            | Type::Literal(_)
            | Type::Atom
            | Type::Integer { .. }
            | Type::Float
            | Type::AnyTuple
            | Type::AnyMap
            | Type::Bits(_)
            | Type::AnyFun
            | Type::Pid
            | Type::Port
            | Type::Reference
            | Type::Var(_) => {}
        }
    }
}
