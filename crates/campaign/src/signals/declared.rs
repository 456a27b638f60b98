//! The facts of a function's specification that the ranking uses.

use super::neighbours::{Kind, kind};
use frontend::Code;
use program::{Module, Spec, Type, TypeDef};
use std::collections::HashSet;
use std::sync::Arc;
use term::{Atom, BigInt, FunctionName, Term, names};

#[derive(Default)]
pub struct Declared {
    /// Whether a result is `error` or `{error, _}`.
    pub error_return: bool,
    /// Whether a result means that there is no value, such as `undefined` or `nil`.
    pub empty_return: bool,
    /// Parameters whose type is a structure that other exported functions of its module make.
    pub internals: Vec<usize>,
    /// Parameters that are lists of options with any values.
    pub options: Vec<usize>,
    /// The keys that map types of a parameter name.
    pub keys: Vec<(usize, Vec<Term>)>,
    pub any_parameter: bool,
    /// Whether a parameter is or contains a list of characters or bytes.
    pub has_text: bool,
    /// Whether a parameter is a bitstring whose length need not be a multiple of eight: `<<_:3>>`.
    pub partial_bits: bool,
    /// Whether a result is or contains a function whose parameters have types.
    pub returns_functions: bool,
    /// Whether the parameters are numbers within bounds, atoms that are named, and structures of these.
    pub is_precise: bool,
    /// Atoms that the types of the module name.
    pub atoms: HashSet<Atom>,
}

const LAST_CHARACTER: u32 = 0x0010_FFFF;

/// The number of alternatives above which a type describes all values of some kind, and an alternative like `undefined`
/// does not mean that there is no value.
const MOST_RESULTS: usize = 4;

/// The depth to which definitions are followed.
const DEEPEST: usize = 8;

impl Declared {
    pub fn of(code: &dyn Code, module: &Arc<Module>, name: FunctionName, behaviour: Option<Atom>) -> Declared {
        let mut declared = Declared { is_precise: true, ..Declared::default() };
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
        let is_own = |spec: &&Spec| (spec.name, spec.arity) == (name.function, name.arity);
        // For a callback, the specification is that of its behaviour.
        let behaviour = behaviour.and_then(|behaviour| code.load(behaviour).ok().flatten());
        let (home, specs) = match &behaviour {
            Some(behaviour) => (behaviour, &behaviour.types.callbacks),
            None => (module, &types.specs),
        };
        for clause in specs.iter().filter(is_own).flat_map(|spec| &spec.clauses) {
            let scope = TypeContext { code, module: home, bounds: &clause.bounds };
            let (mut has_nothing, mut has_true, mut has_false, mut has_values) = (false, false, false, false);
            let (mut has_error, mut has_others) = (false, false);
            let mut results = 0;
            scope.each_alternative(&clause.result, DEEPEST, &mut |result| {
                results += 1;
                for_each_type(result, |part| {
                    declared.returns_functions |= matches!(part, Type::Fun(function) if function.params.is_some());
                });
            });
            scope.each_alternative(&clause.result, DEEPEST, &mut |result| match result {
                Type::Literal(Term::Atom(names::ERROR)) => has_error = true,
                Type::Literal(Term::Atom(names::FALSE)) => has_false = true,
                Type::Literal(Term::Atom(names::TRUE)) => has_true = true,
                Type::Literal(Term::Atom(atom)) if is_nothing(*atom) => has_nothing = true,
                Type::Literal(Term::Atom(atom)) if *atom != names::OK => has_others = true,
                Type::Tuple(parts) if parts.first() == Some(&Type::Literal(Term::Atom(names::ERROR))) => {
                    declared.error_return = true;
                }
                _ => has_values = true,
            });
            // `error` among other atoms is just one of them: a level of a log, for example.
            declared.error_return |= has_error && (has_values || !has_others);
            // Beside other values, `false` means that there is none; beside `true`, it is an answer.
            has_values |= has_others;
            declared.empty_return |= results <= MOST_RESULTS && has_values && (has_nothing || has_false && !has_true);
            for (index, param) in clause.params.iter().enumerate() {
                let (mut is_structure, mut is_plain) = (false, false);
                scope.each_in_context(param, DEEPEST, &mut |scope, part| {
                    declared.any_parameter |= *part == Type::Any;
                    for_each_type(part, |part| {
                        declared.has_text |=
                            matches!(part, Type::List { element, .. } if scope.has(element, &is_character));
                    });
                    declared.partial_bits |= matches!(part, Type::Bits(bits) if bits.base % 8 != 0);
                    match part {
                        Type::Tuple(parts) => is_structure |= parts.len() > 2 || is_tagged(parts),
                        Type::List { element, .. } if scope.is_option(element) => declared.options.push(index),
                        Type::Map(fields) => {
                            is_structure = true;
                            let named = fields.iter().filter_map(|field| match &field.key {
                                Type::Literal(key) => Some(key.clone()),
                                _ => None,
                            });
                            declared.keys.push((index, named.collect()));
                        }
                        _ => is_plain = true,
                    }
                });
                declared.is_precise &= scope.is_precise(param, DEEPEST, &mut HashSet::new());
                if is_structure && !is_plain && scope.is_made_by_functions(param, name) {
                    declared.internals.push(index);
                }
            }
        }
        declared
    }
}

/// Returns whether a type is that of characters or bytes, which differs from other types of numbers by its bounds.
fn is_character(declared: &Type) -> bool {
    match declared {
        Type::Integer { low: Some(low), high: Some(high) } => {
            *low >= BigInt::from(0) && *high >= BigInt::from(127) && *high <= BigInt::from(LAST_CHARACTER)
        }
        _ => false,
    }
}

/// Returns whether a tuple begins with an atom, like `{state, …}`.
fn is_tagged(parts: &[Type]) -> bool {
    parts.len() > 1 && matches!(parts.first(), Some(Type::Literal(Term::Atom(_))))
}

fn has_same_tag(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Tuple(left), Type::Tuple(right)) => {
            is_tagged(left) && left.len() == right.len() && left.first() == right.first()
        }
        _ => false,
    }
}

/// Returns the kinds of the values of a type, if they are known.
pub fn could_be(code: &dyn Code, module: &Arc<Module>, bounds: &[(Atom, Type)], declared: &Type) -> Option<Vec<Kind>> {
    let scope = TypeContext { code, module, bounds };
    let mut kinds = Some(Vec::new());
    scope.each_alternative(declared, DEEPEST, &mut |part| match kind_of(part) {
        Some(kind) => kinds.iter_mut().for_each(|kinds| kinds.push(kind)),
        None => kinds = None,
    });
    kinds.filter(|kinds| !kinds.is_empty())
}

fn kind_of(declared: &Type) -> Option<Kind> {
    match declared {
        Type::Literal(term) => Some(kind(term)),
        Type::Atom => Some(Kind::Atom),
        Type::Integer { .. } => Some(Kind::Integer),
        Type::Float => Some(Kind::Float),
        Type::List { .. } => Some(Kind::List),
        Type::AnyTuple | Type::Tuple(_) => Some(Kind::Tuple),
        Type::AnyMap | Type::Map(_) => Some(Kind::Map),
        Type::Bits(_) => Some(Kind::Bits),
        Type::AnyFun | Type::Fun(_) => Some(Kind::Function),
        Type::Pid | Type::Port | Type::Reference => Some(Kind::Identity),
        Type::Any | Type::None | Type::Union(_) | Type::Named { .. } | Type::Var(_) => None,
    }
}

fn is_nothing(atom: Atom) -> bool {
    matches!(atom.text(), "undefined" | "nil" | "none" | "not_found" | "invalid" | "ignore" | "nomatch")
}

/// The context that gives a type its meaning: the module and the bounds of variables.
struct TypeContext<'a> {
    code: &'a dyn Code,
    module: &'a Arc<Module>,
    bounds: &'a [(Atom, Type)],
}

impl TypeContext<'_> {
    /// Returns whether a type is that of an option whose value may be anything.
    fn is_option(&self, declared: &Type) -> bool {
        let mut found = false;
        self.each_in_context(declared, DEEPEST, &mut |scope, part| {
            // Lists of properties, `[atom() | tuple()]`, say even less.
            found |= *part == Type::AnyTuple;
            if let Type::Tuple(parts) = part
                && let [key, value] = &parts[..]
            {
                found |= scope.has(key, &|key| matches!(key, Type::Atom | Type::Any))
                    && scope.has(value, &|value| *value == Type::Any);
            }
        });
        found
    }

    /// Returns whether some alternative of a type satisfies a condition.
    fn has(&self, declared: &Type, is_such: &dyn Fn(&Type) -> bool) -> bool {
        let mut found = false;
        self.each_alternative(declared, DEEPEST, &mut |part| found |= is_such(part));
        found
    }

    /// Returns whether a type names its values, or bounds them. `known` are the definitions that are being examined.
    fn is_precise(&self, declared: &Type, depth: usize, known: &mut HashSet<(Atom, Atom, usize)>) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let mut all = |parts: &[Type]| parts.iter().all(|part| self.is_precise(part, depth, known));
        match declared {
            Type::Literal(_) => true,
            // Characters are bounded, too, but people write arbitrary texts.
            Type::Integer { high: Some(high), .. } if *high == BigInt::from(LAST_CHARACTER) => false,
            Type::Integer { low, high } => low.is_some() || high.is_some(),
            Type::Tuple(parts) | Type::Union(parts) => all(parts),
            Type::List { element, .. } => self.is_precise(element, depth, known),
            Type::Map(fields) => fields.iter().all(|field| self.is_precise(&field.value, depth, known)),
            Type::Fun(function) => self.is_precise(&function.result, depth, known),
            Type::Var(name) => match self.bounds.iter().find(|(bound, _)| bound == name) {
                Some((_, bound)) => self.is_precise(bound, depth, known),
                None => false,
            },
            Type::Named { module, name, args } => {
                let owner = module.unwrap_or(self.module.name);
                // A recursive type is as precise as the rest of its definition.
                if !known.insert((owner, *name, args.len())) {
                    return true;
                }
                let Some((loaded, definition)) = self.definition(owner, *name, args.len()) else { return false };
                let bounds: Vec<(Atom, Type)> = definition.params.iter().copied().zip(args.iter().cloned()).collect();
                let scope = TypeContext { code: self.code, module: &loaded, bounds: &bounds };
                scope.is_precise(&definition.body, depth, known)
            }
            Type::Any
            | Type::None
            | Type::Atom
            | Type::Float
            | Type::AnyTuple
            | Type::AnyMap
            | Type::Bits(_)
            | Type::AnyFun
            | Type::Pid
            | Type::Port
            | Type::Reference => false,
        }
    }

    fn definition(&self, owner: Atom, name: Atom, arity: usize) -> Option<(Arc<Module>, TypeDef)> {
        let loaded =
            if owner == self.module.name { Arc::clone(self.module) } else { self.code.load(owner).ok().flatten()? };
        let is_meant = |definition: &&TypeDef| definition.name == name && definition.params.len() == arity;
        let found = loaded.types.definitions.iter().find(is_meant)?.clone();
        Some((loaded, found))
    }

    /// Returns whether a function that its module exports, other than the one under test, returns the type of this name
    /// without taking one.
    fn is_made_by_functions(&self, declared: &Type, tested: FunctionName) -> bool {
        let (module, name, args) = match declared {
            Type::Named { module, name, args } => (module, name, args),
            // A record is compared by its tag, since it has no type name.
            Type::Tuple(parts) if is_tagged(parts) => return self.is_result(declared, tested),
            _ => return false,
        };
        let owner = module.unwrap_or(self.module.name);
        let loaded = if owner == self.module.name {
            Some(Arc::clone(self.module))
        } else {
            self.code.load(owner).ok().flatten()
        };
        let Some(loaded) = loaded else { return false };
        let mentions = |of: &Type| {
            let mut found = false;
            for_each_type(of, |part| {
                found |= matches!(part, Type::Named { module, name: of, args: given }
                    if of == name && given.len() == args.len() && module.is_none_or(|module| module == owner));
            });
            found
        };
        loaded.types.specs.iter().any(|spec| {
            let is_tested = owner == tested.module && (spec.name, spec.arity) == (tested.function, tested.arity);
            let is_exported = loaded.find(spec.name, spec.arity).is_some_and(|id| loaded.function(id).exported);
            let makes = |clause: &program::SpecClause| mentions(&clause.result) && !clause.params.iter().any(mentions);
            is_exported && !is_tested && spec.clauses.iter().any(makes)
        })
    }

    /// Returns whether another exported function of the module returns this very type without taking one.
    fn is_result(&self, declared: &Type, tested: FunctionName) -> bool {
        let mentions = |of: &Type| {
            let mut found = false;
            for_each_type(of, |part| found |= has_same_tag(part, declared));
            found
        };
        self.module.types.specs.iter().any(|spec| {
            let is_tested =
                self.module.name == tested.module && (spec.name, spec.arity) == (tested.function, tested.arity);
            let found = self.module.find(spec.name, spec.arity);
            let is_exported = found.is_some_and(|id| self.module.function(id).exported);
            let makes = |clause: &program::SpecClause| mentions(&clause.result) && !clause.params.iter().any(mentions);
            is_exported && !is_tested && spec.clauses.iter().any(makes)
        })
    }

    /// Shows the alternatives of a type, with names and variables replaced by their definitions and bounds.
    fn each_alternative(&self, declared: &Type, depth: usize, show: &mut dyn FnMut(&Type)) {
        self.each_in_context(declared, depth, &mut |_, part| show(part));
    }

    /// Shows the alternatives of a type, each with its context.
    fn each_in_context(&self, declared: &Type, depth: usize, show: &mut dyn FnMut(&TypeContext<'_>, &Type)) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match declared {
            Type::Union(parts) => parts.iter().for_each(|part| self.each_in_context(part, depth, show)),
            Type::Var(name) => match self.bounds.iter().find(|(bound, _)| bound == name) {
                Some((_, bound)) => self.each_in_context(bound, depth, show),
                None => show(self, &Type::Any),
            },
            Type::Named { module, name, args } => {
                let owner = module.filter(|module| *module != self.module.name);
                let loaded = match owner {
                    Some(owner) => self.code.load(owner).ok().flatten(),
                    None => Some(Arc::clone(self.module)),
                };
                let Some(loaded) = loaded else { return show(self, declared) };
                let mut definitions = loaded.types.definitions.iter();
                let is_meant =
                    |definition: &&program::TypeDef| definition.name == *name && definition.params.len() == args.len();
                match definitions.find(is_meant) {
                    Some(definition) if !definition.opaque || owner.is_none() => {
                        let bounds: Vec<(Atom, Type)> =
                            definition.params.iter().copied().zip(args.iter().cloned()).collect();
                        let scope = TypeContext { code: self.code, module: &loaded, bounds: &bounds };
                        scope.each_in_context(&definition.body, depth, show);
                    }
                    _ => show(self, declared),
                }
            }
            other => show(self, other),
        }
    }
}

fn collect_atoms(declared: &Type, atoms: &mut HashSet<Atom>) {
    for_each_type(declared, |part| {
        if let Type::Literal(Term::Atom(atom)) = part {
            atoms.insert(*atom);
        }
    });
}

/// Shows a type and all of its parts. The nesting of types is limited (`program::DEEPEST_TYPE`), but a worklist costs
/// nothing.
pub fn for_each_type(declared: &Type, mut show: impl FnMut(&Type)) {
    let mut left = vec![declared];
    while let Some(next) = left.pop() {
        show(next);
        match next {
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
