//! Finds the part of a value that does not have its declared type, and the type that is declared there.
//!
//! Membership itself is decided by `formula::Types`. This module only explains a failure in terms of what is written in
//! the source: it walks the declared type and the value side by side, through names of types, to the innermost part
//! that does not fit. Of the alternatives of a union, the one that fits best is followed.

use crate::limit::TypeName;
use crate::{Modules, deep};
use program::{MapField, Module, SpecClause, Type, TypeDef};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use term::{Atom, BigInt, Term};

/// A part of a value that does not have the type declared for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breach {
    /// The steps from the whole value to the part. Empty if the whole value is meant.
    pub path: Vec<Part>,
    pub found: Term,
    /// The type that is declared for the part.
    pub declared: Type,
    /// The name of that type, if it has one.
    pub named: Option<TypeName>,
}

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Part {
    /// An element of a tuple, counted from 1. `tag` is the first element, if that is an atom.
    Element { index: usize, tag: Option<Atom> },
    /// An item of a list, counted from 1.
    Item(usize),
    /// The tail after the last item of a list.
    Tail,
    /// The value under a key of a map.
    Value(Term),
    /// A key of a map that no field of the type allows.
    Key(Term),
    /// A key that the type requires and the map does not have.
    Absent(Term),
}

/// The maximum number of steps of a comparison. Types with many alternatives compare the same parts over and over.
const MOST_STEPS: u32 = 100_000;

/// Returns the part of `result` that breaks the specification. Among several clauses, the one that the result fits best
/// counts. `None` if no such part is found, or if the comparison takes too many steps.
pub fn breach(home: &Arc<Module>, clauses: &[SpecClause], result: &Term, modules: &mut dyn Modules) -> Option<Breach> {
    let mut explorer = Explorer { modules, steps: 0 };
    let mut best: Option<Mismatch> = None;
    for clause in clauses {
        let scope = Declaration { module: Arc::clone(home), bounds: clause.bounds.clone() };
        let mismatch = explorer.compare(&scope, &clause.result, result)?;
        if best.as_ref().is_none_or(|best| mismatch.fit > best.fit) {
            best = Some(mismatch);
        }
    }
    (explorer.steps < MOST_STEPS).then_some(best)?.map(|mismatch| {
        let Mismatch { mut path, found, declared, named, .. } = mismatch;
        path.reverse();
        Breach { path, found, declared, named }
    })
}

/// The place where a type is written: the module, and the types of the variables.
#[derive(Clone)]
struct Declaration {
    module: Arc<Module>,
    bounds: Vec<(Atom, Type)>,
}

struct Mismatch {
    /// The steps from the part outwards.
    path: Vec<Part>,
    found: Term,
    declared: Type,
    named: Option<TypeName>,
    /// A score of how much of the value fits.
    fit: u32,
}

impl Mismatch {
    fn here(declared: &Type, found: &Term) -> Mismatch {
        Mismatch { path: Vec::new(), found: found.clone(), declared: declared.clone(), named: None, fit: 0 }
    }

    fn within(mut self, part: Part, fit: u32) -> Mismatch {
        self.path.push(part);
        self.fit += fit;
        self
    }
}

/// The scores of a part that fits. A tag has a high score because it shows which alternative was meant.
const PART: u32 = 1;
const TAG: u32 = 100;

struct Explorer<'a> {
    modules: &'a mut dyn Modules,
    steps: u32,
}

impl Explorer<'_> {
    /// Returns the mismatch of a term; `None` if the term is of the type, or if the comparison takes too many steps.
    fn compare(&mut self, scope: &Declaration, declared: &Type, term: &Term) -> Option<Mismatch> {
        self.steps += 1;
        if self.steps >= MOST_STEPS {
            return None;
        }
        deep(|| self.compare_parts(scope, declared, term))
    }

    fn compare_parts(&mut self, scope: &Declaration, declared: &Type, term: &Term) -> Option<Mismatch> {
        let fits = match (declared, term) {
            (Type::Any, _) | (Type::Atom, Term::Atom(_)) | (Type::AnyTuple, Term::Tuple(_)) => true,
            (Type::Float, Term::Float(_)) | (Type::AnyMap, Term::Map(_)) => true,
            (Type::AnyFun | Type::Fun(_), Term::Fun(_)) => true,
            (Type::Pid, Term::Pid(_)) | (Type::Port, Term::Port(_)) | (Type::Reference, Term::Reference(_)) => true,
            (Type::Literal(literal), _) => literal == term,
            (Type::Integer { low, high }, _) => is_between(low.as_ref(), high.as_ref(), term),
            (Type::Bits(bits), Term::Bits(found)) => {
                let length = found.bit_length() as u64;
                let more = length.checked_sub(bits.base);
                more.is_some_and(|more| if bits.unit == 0 { more == 0 } else { more % bits.unit == 0 })
            }
            (Type::List { element, tail, nonempty }, Term::List(..) | Term::Nil) => {
                return self.list(scope, declared, (element, tail, *nonempty), term);
            }
            (Type::Tuple(types), Term::Tuple(parts)) if types.len() == parts.len() => {
                return self.tuple(scope, declared, types, parts, term);
            }
            (Type::Map(fields), Term::Map(pairs)) => return self.map(scope, declared, fields, pairs, term),
            (Type::Union(members), _) => return self.union(scope, declared, members, term),
            (Type::Named { module, name, args }, _) => return self.named(scope, *module, *name, args, term),
            (Type::Var(variable), _) => {
                let bound = scope.bounds.iter().find(|(name, _)| name == variable);
                // A bound may mention its own variable, which restricts nothing there.
                let bounds = scope.bounds.iter().filter(|(name, _)| name != variable).cloned().collect();
                let scope = Declaration { module: Arc::clone(&scope.module), bounds };
                return bound.and_then(|(_, bound)| self.compare(&scope, bound, term));
            }
            _ => false,
        };
        (!fits).then(|| Mismatch::here(declared, term))
    }

    fn list(
        &mut self,
        scope: &Declaration,
        declared: &Type,
        (element, tail, nonempty): (&Type, &Type, bool),
        term: &Term,
    ) -> Option<Mismatch> {
        let nil = Term::Nil;
        let (items, end) = match term {
            Term::List(items, end) => (&items[..], end.as_deref().unwrap_or(&nil)),
            _ if nonempty => return Some(Mismatch::here(declared, term)),
            _ => (&[][..], term),
        };
        for (index, item) in items.iter().enumerate() {
            if let Some(mismatch) = self.compare(scope, element, item) {
                // Items before the mismatch count: a list whose very first item does not fit is a list of something
                // else.
                let fit = PART + u32::try_from(index).unwrap_or(u32::MAX / 2).min(TAG / 2);
                return Some(mismatch.within(Part::Item(index + 1), fit));
            }
        }
        if items.is_empty() && *end == Term::Nil {
            return None;
        }
        self.compare(scope, tail, end).map(|mismatch| mismatch.within(Part::Tail, PART))
    }

    fn tuple(
        &mut self,
        scope: &Declaration,
        declared: &Type,
        types: &[Type],
        parts: &[Term],
        term: &Term,
    ) -> Option<Mismatch> {
        let tag = parts.first().and_then(Term::as_atom);
        let mut fit = PART;
        let mut worst: Option<Mismatch> = None;
        for (index, (declared_part, part)) in types.iter().zip(parts).enumerate() {
            match self.compare(scope, declared_part, part) {
                None => fit += if matches!(declared_part, Type::Literal(_)) { TAG } else { PART },
                // A different tag means a different alternative.
                Some(_) if matches!((declared_part, part), (Type::Literal(_), Term::Atom(_))) => {
                    return Some(Mismatch::here(declared, term));
                }
                Some(mismatch) if worst.is_none() => {
                    worst = Some(mismatch.within(Part::Element { index: index + 1, tag }, 0));
                }
                Some(_) => {}
            }
        }
        worst.map(|mut mismatch| {
            mismatch.fit += fit;
            mismatch
        })
    }

    fn map(
        &mut self,
        scope: &Declaration,
        declared: &Type,
        fields: &[MapField],
        pairs: &[(Term, Term)],
        term: &Term,
    ) -> Option<Mismatch> {
        let mut fit = PART;
        for (key, value) in pairs {
            let mut of_key = Vec::new();
            for field in fields {
                if self.compare(scope, &field.key, key).is_none() {
                    of_key.push(field);
                }
            }
            // A field that names the key precedes fields for a type of keys.
            let field = of_key.iter().find(|field| matches!(field.key, Type::Literal(_))).or(of_key.first());
            let Some(field) = field else {
                let mut mismatch = Mismatch::here(declared, term);
                mismatch.found = key.clone();
                return Some(mismatch.within(Part::Key(key.clone()), fit));
            };
            match self.compare(scope, &field.value, value) {
                None => fit += if matches!(field.value, Type::Literal(_)) { TAG } else { PART },
                Some(mismatch) => return Some(mismatch.within(Part::Value(key.clone()), fit)),
            }
        }
        let absent = fields.iter().filter(|field| field.required).find_map(|field| match &field.key {
            Type::Literal(key) => (!pairs.iter().any(|(known, _)| known == key)).then_some(key),
            _ => None,
        })?;
        Some(Mismatch::here(declared, term).within(Part::Absent(absent.clone()), fit))
    }

    fn union(&mut self, scope: &Declaration, declared: &Type, members: &[Type], term: &Term) -> Option<Mismatch> {
        let mut best: Option<Mismatch> = None;
        for member in members {
            let mismatch = self.compare(scope, member, term)?;
            if best.as_ref().is_none_or(|best| mismatch.fit > best.fit) {
                best = Some(mismatch);
            }
        }
        // If the best mismatch is the value itself, the whole union is what was declared.
        best.filter(|best| !best.path.is_empty()).or_else(|| Some(Mismatch::here(declared, term)))
    }

    fn named(
        &mut self,
        scope: &Declaration,
        module: Option<Atom>,
        name: Atom,
        args: &[Type],
        term: &Term,
    ) -> Option<Mismatch> {
        let owner = module.unwrap_or(scope.module.name);
        let (home, definition) = self.definition(scope, owner, name, args.len())?;
        // Arguments refer to the variables of the place where they are written.
        let args = args.iter().map(|arg| with_bounds(arg, &scope.bounds));
        let bounds = definition.params.iter().copied().zip(args).collect();
        let inner = Declaration { module: home, bounds };
        let mut mismatch = self.compare(&inner, &definition.body, term)?;
        if mismatch.path.is_empty() && mismatch.named.is_none() {
            let arity = u32::try_from(definition.params.len()).unwrap_or(u32::MAX);
            mismatch.named = Some(TypeName { module: owner, name, arity });
        }
        Some(mismatch)
    }

    /// Returns the definition of a type; `None` if it is unknown. Then it allows everything, as it does for inputs.
    fn definition(
        &mut self,
        scope: &Declaration,
        owner: Atom,
        name: Atom,
        arity: usize,
    ) -> Option<(Arc<Module>, TypeDef)> {
        let module =
            if owner == scope.module.name { Some(Arc::clone(&scope.module)) } else { self.modules.module(owner) };
        let is_meant = |definition: &&TypeDef| definition.name == name && definition.params.len() == arity;
        if let Some(module) = &module
            && let Some(found) = module.types.definitions.iter().find(is_meant)
        {
            return Some((Arc::clone(module), found.clone()));
        }
        let found = self.modules.built_in_type(owner, name, arity)?;
        Some((Arc::clone(&scope.module), found))
    }
}

/// Replaces a type that is a variable. Variables deeper inside are not replaced, so they allow everything.
fn with_bounds(declared: &Type, bounds: &[(Atom, Type)]) -> Type {
    match declared {
        Type::Var(variable) => bounds.iter().find(|(name, _)| name == variable).map_or(Type::Any, |(_, of)| of.clone()),
        other => other.clone(),
    }
}

fn is_between(low: Option<&BigInt>, high: Option<&BigInt>, term: &Term) -> bool {
    let value = match term {
        Term::Int(value) => BigInt::from(*value),
        Term::Big(value) => (**value).clone(),
        _ => return false,
    };
    low.is_none_or(|low| *low <= value) && high.is_none_or(|high| value <= *high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::Types;

    struct Alone;

    impl Modules for Alone {
        fn module(&mut self, _: Atom) -> Option<Arc<Module>> {
            None
        }
    }

    fn atom(name: &str) -> Type {
        Type::Literal(Term::atom(name))
    }

    fn between(low: i64, high: i64) -> Type {
        Type::Integer { low: Some(BigInt::from(low)), high: Some(BigInt::from(high)) }
    }

    fn named(name: &str) -> Type {
        Type::Named { module: None, name: Atom::new(name), args: Vec::new() }
    }

    fn found(definitions: Vec<(&str, Type)>, result: Type, term: Term) -> Option<Breach> {
        let definitions = definitions.into_iter().map(|(name, body)| TypeDef {
            name: Atom::new(name),
            params: Vec::new(),
            body,
            opaque: false,
            exported: true,
        });
        let types = Types { definitions: definitions.collect(), ..Types::default() };
        let module = Arc::new(Module::new(Atom::new("m"), Vec::new(), Vec::new(), Vec::new(), types));
        let clause = SpecClause { params: Vec::new(), result, bounds: Vec::new() };
        breach(&module, &[clause], &term, &mut Alone)
    }

    #[test]
    fn the_innermost_part_that_does_not_fit_is_named() {
        let date = Type::Tuple(vec![Type::integer(), between(1, 12), named("day")]);
        let result =
            Type::Union(vec![Type::Tuple(vec![atom("ok"), date]), Type::Tuple(vec![atom("error"), Type::Any])]);
        let value = Term::tuple(vec![Term::Int(1970), Term::Int(1), Term::Int(0)]);
        let term = Term::tuple(vec![Term::atom("ok"), value]);
        let Breach { path, found, declared, named } = found(vec![("day", between(1, 31))], result, term).unwrap();
        let ok = Part::Element { index: 2, tag: Some(Atom::new("ok")) };
        assert_eq!(path, [ok, Part::Element { index: 3, tag: None }]);
        assert_eq!((found, declared), (Term::Int(0), between(1, 31)));
        assert_eq!(named.map(|named| named.name), Some(Atom::new("day")));
    }

    #[test]
    fn a_recursive_type_that_lacks_an_alternative_is_named_itself() {
        let object = Type::Union(vec![Type::integer(), Type::list(named("object"))]);
        let term = Term::list(vec![Term::Int(1), Term::list(vec![Term::atom("null")])]);
        let Breach { path, found, named, .. } = found(vec![("object", object)], named("object"), term).unwrap();
        assert_eq!(path, [Part::Item(2), Part::Item(1)]);
        assert_eq!(found, Term::atom("null"));
        assert_eq!(named.map(|named| named.name), Some(Atom::new("object")));
    }

    #[test]
    fn another_tag_is_another_alternative() {
        let result = Type::Union(vec![Type::Tuple(vec![atom("ok"), Type::integer()]), atom("error")]);
        let term = Term::tuple(vec![Term::atom("error"), Term::Int(1)]);
        let breach = found(Vec::new(), result.clone(), term.clone()).unwrap();
        assert_eq!((breach.path, breach.found, breach.declared), (Vec::new(), term, result));
    }

    #[test]
    fn keys_of_maps_are_named() {
        let field = |key: &str, required| MapField { key: atom(key), value: Type::integer(), required };
        let result = Type::Map(vec![field("port", true), field("size", false)]);
        let map = |pairs: Vec<(&str, Term)>| {
            Term::Map(pairs.into_iter().map(|(key, value)| (Term::atom(key), value)).collect::<Vec<_>>().into())
        };
        let path = |pairs| found(Vec::new(), result.clone(), map(pairs)).map(|breach| breach.path);
        assert_eq!(path(vec![("port", Term::atom("a"))]), Some(vec![Part::Value(Term::atom("port"))]));
        assert_eq!(path(vec![]), Some(vec![Part::Absent(Term::atom("port"))]));
        let other = vec![("port", Term::Int(1)), ("path", Term::Int(1))];
        assert_eq!(path(other), Some(vec![Part::Key(Term::atom("path"))]));
        assert_eq!(path(vec![("port", Term::Int(1))]), None);
    }
}
