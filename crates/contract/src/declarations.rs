//! The declarations of all modules that a contract mentions: replaces the variables of types, looks up the meanings of
//! names, and records what could not be followed.

use crate::limit::{Limit, TypeName};
use crate::shape::{ClosedId, ClosedType, ClosedTypes, Field};
use crate::{Modules, deep};
use program::{Module, Type, TypeDef};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use term::{Atom, BigInt, Term};

/// A definition whose arguments are nested deeper than this, or that has more instances than this, is taken to grow
/// without end.
const HIGHEST_ARGUMENT: u32 = 32;
const MOST_INSTANCES: u32 = 256;

pub(crate) struct Declarations<'a> {
    home: &'a Module,
    modules: &'a mut dyn Modules,
    loaded: FxHashMap<Atom, Option<Arc<Module>>>,
    pub shapes: ClosedTypes,
    meanings: FxHashMap<ClosedId, Meaning>,
    instances: FxHashMap<(Atom, Atom, usize), u32>,
    canonical: FxHashMap<ClosedId, ClosedId>,
    with_opaque: FxHashMap<ClosedId, bool>,
    with_process: FxHashMap<ClosedId, bool>,
    own_opaque: FxHashSet<ClosedId>,
    structures: Structures,
    /// The structures that are treated as opaque.
    made_structures: FxHashSet<ClosedId>,
    /// Whether some of these structures can be made.
    pub has_made_structures: bool,
    pub limits: Vec<Limit>,
}

/// The meaning of a named type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Alias(ClosedId),
    /// The representation of an opaque type. Only its own module may look inside.
    Opaque(ClosedId),
}

/// The way to make structures for which their modules have constructors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Structures {
    /// Structures are built as their types say.
    Built,
    /// Structures are made by these functions only, as values of opaque types are.
    Made,
}

/// The variables of one declaration.
pub(crate) struct TypeVariables<'a> {
    pub known: FxHashMap<Atom, ClosedId>,
    pub bounds: &'a [(Atom, Type)],
    /// Whether variables without a bound stay free. Otherwise they are of any type.
    pub open: bool,
}

impl<'a> Declarations<'a> {
    pub fn new(home: &'a Module, modules: &'a mut dyn Modules, structures: Structures) -> Declarations<'a> {
        Declarations {
            home,
            modules,
            loaded: FxHashMap::default(),
            shapes: ClosedTypes::default(),
            meanings: FxHashMap::default(),
            instances: FxHashMap::default(),
            canonical: FxHashMap::default(),
            with_opaque: FxHashMap::default(),
            with_process: FxHashMap::default(),
            own_opaque: FxHashSet::default(),
            structures,
            made_structures: FxHashSet::default(),
            has_made_structures: false,
            limits: Vec::new(),
        }
    }

    pub fn is_home(&self, module: Atom) -> bool {
        module == self.home.name
    }

    pub fn limit(&mut self, limit: Limit) {
        if !self.limits.contains(&limit) {
            self.limits.push(limit);
        }
    }

    /// Returns a module other than the home module.
    pub fn module(&mut self, name: Atom) -> Option<Arc<Module>> {
        let modules = &mut *self.modules;
        self.loaded.entry(name).or_insert_with(|| modules.module(name)).clone()
    }

    /// Closes `declared`, which is written in `module`: replaces its variables.
    pub fn close(&mut self, module: Atom, declared: &Type, scope: &mut TypeVariables<'_>) -> ClosedId {
        deep(|| self.closed(module, declared, scope))
    }

    fn closed(&mut self, module: Atom, declared: &Type, scope: &mut TypeVariables<'_>) -> ClosedId {
        let shape = match declared {
            Type::Any => return ClosedTypes::ANY,
            Type::None => return ClosedTypes::NONE,
            Type::Literal(term) => return self.literal(term),
            Type::Atom => ClosedType::AnyAtom,
            Type::Integer { low, high } => ClosedType::Integer { low: low.clone(), high: high.clone() },
            Type::Float => ClosedType::Float,
            Type::List { element, tail, nonempty } => {
                let element = self.close(module, element, scope);
                let end = self.close(module, tail, scope);
                return self.shapes.list(element, end, *nonempty);
            }
            Type::AnyTuple => ClosedType::AnyTuple,
            Type::Tuple(parts) => ClosedType::Tuple(self.close_all(module, parts, scope)),
            Type::AnyMap => ClosedType::AnyMap,
            Type::Map(fields) => {
                let field = |field: &program::MapField| Field {
                    key: self.close(module, &field.key, scope),
                    value: self.close(module, &field.value, scope),
                    required: field.required,
                };
                ClosedType::Map(fields.iter().map(field).collect())
            }
            Type::Bits(bits) => ClosedType::Bits { base: bits.base, unit: bits.unit },
            Type::AnyFun => ClosedType::AnyFunction,
            Type::Fun(function) => ClosedType::Function {
                params: function.params.as_ref().map(|params| self.close_all(module, params, scope)),
                result: self.close(module, &function.result, scope),
            },
            Type::Pid => ClosedType::Pid,
            Type::Port => ClosedType::Port,
            Type::Reference => ClosedType::Reference,
            Type::Union(members) => {
                let members = self.close_all(module, members, scope);
                return self.shapes.union(members);
            }
            Type::Named { module: of, name, args } => ClosedType::Named {
                module: of.unwrap_or(module),
                name: *name,
                args: self.close_all(module, args, scope),
            },
            Type::Var(variable) => return self.variable(module, *variable, scope),
        };
        self.shapes.add(shape)
    }

    fn close_all(&mut self, module: Atom, types: &[Type], scope: &mut TypeVariables<'_>) -> Vec<ClosedId> {
        types.iter().map(|declared| self.close(module, declared, scope)).collect()
    }

    fn variable(&mut self, module: Atom, variable: Atom, scope: &mut TypeVariables<'_>) -> ClosedId {
        if let Some(known) = scope.known.get(&variable) {
            return *known;
        }
        let mut found = ClosedTypes::ANY;
        if let Some((_, bound)) = scope.bounds.iter().find(|(name, _)| *name == variable) {
            // A bound that mentions its own variable restricts nothing there.
            scope.known.insert(variable, ClosedTypes::ANY);
            found = self.close(module, bound, scope);
        }
        if scope.open && self.canonical(found) == ClosedTypes::ANY {
            found = self.shapes.add(ClosedType::Free(variable));
        }
        scope.known.insert(variable, found);
        found
    }

    fn literal(&mut self, term: &Term) -> ClosedId {
        deep(|| self.closed_literal(term))
    }

    fn closed_literal(&mut self, term: &Term) -> ClosedId {
        let whole = |value: BigInt| ClosedType::Integer { low: Some(value.clone()), high: Some(value) };
        let shape = match term {
            Term::Int(value) => whole(BigInt::from(*value)),
            Term::Big(value) => whole((**value).clone()),
            Term::Atom(atom) => ClosedType::Atom(*atom),
            Term::Nil => return ClosedTypes::NIL,
            Term::List(items, tail) => {
                let end = tail.as_ref().map_or(ClosedTypes::NIL, |tail| self.literal(tail));
                return items.iter().rev().fold(end, |tail, item| {
                    let head = self.literal(item);
                    self.shapes.add(ClosedType::Cons { head, tail })
                });
            }
            Term::Tuple(items) => ClosedType::Tuple(items.iter().map(|item| self.literal(item)).collect()),
            Term::Map(pairs) => {
                let field = |(key, value): &(Term, Term)| Field {
                    key: self.literal(key),
                    value: self.literal(value),
                    required: true,
                };
                ClosedType::Map(pairs.iter().map(field).collect())
            }
            Term::Bits(bits) => {
                if bits.bit_length() > 0 {
                    self.limit(Limit::LiteralBitstring);
                }
                ClosedType::Bits { base: bits.bit_length() as u64, unit: 0 }
            }
            Term::Float(_) => {
                self.limit(Limit::LiteralFloat);
                ClosedType::Float
            }
            Term::Fun(_) => ClosedType::AnyFunction,
            Term::Pid(_) => ClosedType::Pid,
            Term::Reference(_) => ClosedType::Reference,
            Term::Port(_) => ClosedType::Port,
        };
        self.shapes.add(shape)
    }

    /// Returns the meaning of a named type; `None` for other types.
    pub fn meaning(&mut self, shape: ClosedId) -> Option<Meaning> {
        if let Some(found) = self.meanings.get(&shape) {
            return Some(*found);
        }
        let ClosedType::Named { module, name, args } = self.shapes.get(shape).clone() else { return None };
        let meaning = self.look_up(shape, module, name, args);
        self.meanings.insert(shape, meaning);
        Some(meaning)
    }

    fn look_up(&mut self, shape: ClosedId, module: Atom, name: Atom, args: Vec<ClosedId>) -> Meaning {
        let arity = args.len();
        let instances = self.instances.entry((module, name, arity)).or_default();
        *instances += 1;
        if *instances > MOST_INSTANCES || self.shapes.height(shape) > HIGHEST_ARGUMENT {
            self.limit(Limit::Growing(TypeName { module, name, arity: arity as u32 }));
            return Meaning::Alias(ClosedTypes::ANY);
        }
        let Some(definition) = self.definition(module, name, arity) else {
            return Meaning::Alias(ClosedTypes::ANY);
        };
        let known = definition.params.iter().copied().zip(args).collect();
        let body = self.close(module, &definition.body, &mut TypeVariables { known, bounds: &[], open: false });
        match (definition.opaque, self.is_home(module)) {
            (true, false) => return Meaning::Opaque(body),
            (true, true) if makes(self.home, name) => return Meaning::Opaque(body),
            (true, true) => _ = self.own_opaque.insert(shape),
            (false, _) if self.structures == Structures::Made => {
                // Recursive mentions of this type find this entry.
                self.meanings.insert(shape, Meaning::Alias(body));
                if self.is_made_structure(module, name, body) {
                    self.made_structures.insert(shape);
                    return Meaning::Opaque(body);
                }
            }
            (false, _) => {}
        }
        Meaning::Alias(body)
    }

    /// Returns whether a type consists of structures, and possibly atoms and `[]`, and its module has a function that
    /// makes them.
    fn is_made_structure(&mut self, module: Atom, name: Atom, body: ClosedId) -> bool {
        let is_made = if self.is_home(module) {
            makes(self.home, name)
        } else {
            self.module(module).is_some_and(|owner| makes(&owner, name))
        };
        let parts = self.members(body);
        let is_word = |part: &ClosedId| matches!(self.shapes.get(*part), ClosedType::Atom(_) | ClosedType::Nil);
        let is_structure = |part: &ClosedId| match self.shapes.get(*part) {
            ClosedType::Tuple(parts) => parts.len() > 2 || parts.len() == 2 && parts.first().is_some_and(is_word),
            // These are structures, possibly under another name.
            ClosedType::Map(_) | ClosedType::Named { .. } => true,
            _ => false,
        };
        is_made && parts.iter().any(is_structure) && parts.iter().all(|part| is_structure(part) || is_word(part))
    }

    /// Returns the body of a structure that is treated as opaque.
    pub fn structure(&self, shape: ClosedId) -> Option<ClosedId> {
        match self.meanings.get(&shape) {
            Some(Meaning::Opaque(body)) if self.made_structures.contains(&shape) => Some(*body),
            _ => None,
        }
    }

    fn definition(&mut self, module: Atom, name: Atom, arity: usize) -> Option<TypeDef> {
        if name.text() == program::TOO_DEEP {
            self.limit(Limit::DeeplyNested { levels: program::DEEPEST_TYPE as u32 });
            return None;
        }
        let of = |types: &program::Types| {
            let wanted = |found: &&TypeDef| found.name == name && found.params.len() == arity;
            types.definitions.iter().find(wanted).cloned()
        };
        if self.is_home(module)
            && let Some(found) = of(&self.home.types)
        {
            return Some(found);
        }
        if let Some(found) = self.modules.built_in_type(module, name, arity) {
            return Some(found);
        }
        let found = if self.is_home(module) { None } else { self.module(module) };
        match found {
            Some(found) => {
                let definition = of(&found.types);
                if definition.is_none() {
                    self.limit(Limit::Undefined(TypeName { module, name, arity: arity as u32 }));
                }
                definition
            }
            None => {
                let named = TypeName { module, name, arity: arity as u32 };
                self.limit(if self.is_home(module) { Limit::Undefined(named) } else { Limit::ModuleNotFound(named) });
                None
            }
        }
    }

    /// Returns the alternatives of a type, with aliases resolved. A type that is only an alternative of itself adds
    /// nothing.
    pub fn members(&mut self, shape: ClosedId) -> Vec<ClosedId> {
        let mut members = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![shape];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            if next == ClosedTypes::ANY {
                return vec![ClosedTypes::ANY];
            }
            if let Some(Meaning::Alias(body)) = self.meaning(next) {
                open.push(body);
                continue;
            }
            match self.shapes.get(next) {
                ClosedType::None => {}
                ClosedType::Union(alternatives) => open.extend(alternatives.iter().rev()),
                _ => members.push(next),
            }
        }
        members
    }

    /// Returns the same type independent of its names.
    pub fn canonical(&mut self, shape: ClosedId) -> ClosedId {
        if let Some(known) = self.canonical.get(&shape) {
            return *known;
        }
        let members = self.members(shape);
        let canonical = self.shapes.union(members);
        self.canonical.insert(shape, canonical);
        canonical
    }

    /// Returns the types that values of this type are made of, and its alternatives, but no parameters of functions.
    pub fn ingredients(&mut self, shape: ClosedId) -> Vec<ClosedId> {
        match self.meaning(shape) {
            Some(Meaning::Alias(body)) => vec![body],
            Some(Meaning::Opaque(_)) => Vec::new(),
            None => match self.shapes.get(shape) {
                ClosedType::Function { result, .. } => vec![*result],
                other => other.parts(),
            },
        }
    }

    /// Returns whether some value of this type has a part for which `holds` is true.
    pub fn reaches(&mut self, shape: ClosedId, holds: impl Fn(&Self, ClosedId) -> bool) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![shape];
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                let ingredients = self.ingredients(next);
                if holds(self, next) {
                    return true;
                }
                open.extend(ingredients);
            }
        }
        false
    }

    pub fn has_opaque(&mut self, shape: ClosedId) -> bool {
        if let Some(found) = self.with_opaque.get(&shape) {
            return *found;
        }
        let is_opaque = |meaning| matches!(meaning, Some(Meaning::Opaque(_)));
        let found = self.reaches(shape, |this, part| is_opaque(this.meanings.get(&part).copied()));
        self.with_opaque.insert(shape, found);
        found
    }

    /// Returns whether some value of this type contains a process. Results of functions do not count.
    pub fn has_process(&mut self, shape: ClosedId) -> bool {
        if let Some(found) = self.with_process.get(&shape) {
            return *found;
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![shape];
        let mut found = false;
        while let Some(next) = open.pop().filter(|_| !found) {
            if seen.insert(next) && !matches!(self.shapes.get(next), ClosedType::Function { .. }) {
                open.extend(self.ingredients(next));
                found = *self.shapes.get(next) == ClosedType::Pid;
            }
        }
        self.with_process.insert(shape, found);
        found
    }

    /// Returns whether a type contains an opaque type of the home module, which may look inside it.
    pub fn has_own_opaque(&mut self, shape: ClosedId) -> bool {
        self.reaches(shape, |this, part| this.own_opaque.contains(&part))
    }

    pub fn has_function(&mut self, shape: ClosedId) -> bool {
        let is_function = |shape: &ClosedType| matches!(shape, ClosedType::AnyFunction | ClosedType::Function { .. });
        self.reaches(shape, |this, part| is_function(this.shapes.get(part)))
    }
}

/// Returns whether a module exports a function that makes values of its type from values of other types. Values that
/// are built by hand might never occur in the module, so they are made by this function, even for the module itself.
fn makes(owner: &Module, name: Atom) -> bool {
    let is_named = |declared: &Type, names: &[Atom]| {
        matches!(declared, Type::Named { module, name, .. }
            if names.contains(name) && module.is_none_or(|module| module == owner.name))
    };
    let mut names = vec![name];
    let aliases = owner.types.definitions.iter().filter(|definition| is_named(&definition.body, &[name]));
    names.extend(aliases.map(|definition| definition.name));
    owner.types.specs.iter().any(|spec| {
        let exported = owner.find(spec.name, spec.arity).is_some_and(|id| owner.function(id).exported);
        let makes = |clause: &program::SpecClause| {
            is_named(&clause.result, &names) && !clause.params.iter().any(|param| is_named(param, &names))
        };
        exported && spec.clauses.iter().any(makes)
    })
}
