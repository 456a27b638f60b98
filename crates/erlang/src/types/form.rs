//! Reading of the form of a type to a `Type`.

use super::builtin::{builtin, function, union};
use super::integer::evaluate;
use crate::otp;
use num_traits::ToPrimitive;
use program::{BitType, MapField, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use term::{Atom, Term};

/// The definitions that a form may refer to.
#[derive(Default)]
pub(super) struct Reader<'a> {
    /// Types that the module defines, with the number of their parameters.
    pub defined: FxHashSet<(Atom, usize)>,
    /// The fields of each record in order, with their types if they have one.
    pub records: FxHashMap<Atom, Vec<(Atom, Option<&'a Term>)>>,
    /// The number of forms around the current one.
    depth: Cell<usize>,
}

pub(super) fn grow<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 2 << 20, work)
}

/// Returns the name of the definition for the type of a record.
pub(super) fn record_type_name(record: Atom) -> Atom {
    Atom::new(&format!("#{record}"))
}

impl Reader<'_> {
    pub fn read(&self, form: &Term) -> Type {
        if self.depth.get() >= program::DEEPEST_TYPE {
            return Type::Named { module: None, name: Atom::new(program::TOO_DEEP), args: Vec::new() };
        }
        self.depth.set(self.depth.get() + 1);
        let read = grow(|| self.known(form)).unwrap_or(Type::Any);
        self.depth.set(self.depth.get() - 1);
        read
    }

    fn known(&self, form: &Term) -> Option<Type> {
        let items = form.as_tuple()?;
        match (items.first()?.as_atom()?.text(), &items[1..]) {
            ("type", [_, Term::Atom(name), args]) => self.type_form(*name, args),
            ("user_type", [_, Term::Atom(name), args]) => {
                Some(Type::Named { module: None, name: *name, args: self.read_all(args.as_list()?) })
            }
            ("remote_type", [_, parts]) => match parts.as_list()? {
                [module, name, args] => Some(Type::Named {
                    module: Some(atom(module)?),
                    name: atom(name)?,
                    args: self.read_all(args.as_list()?),
                }),
                _ => None,
            },
            ("ann_type", [_, parts]) => match parts.as_list()? {
                [_, annotated] => Some(self.read(annotated)),
                _ => None,
            },
            ("paren_type", [_, parts]) => Some(self.read(parts.as_list()?.first()?)),
            ("var", [_, Term::Atom(name)]) => Some(if name.text() == "_" { Type::Any } else { Type::Var(*name) }),
            ("atom", [_, value]) => Some(Type::Literal(value.clone())),
            ("integer" | "char" | "op", _) => Some(Type::Literal(Term::integer(evaluate(form)?))),
            _ => None,
        }
    }

    fn read_all(&self, forms: &[Term]) -> Vec<Type> {
        forms.iter().map(|form| self.read(form)).collect()
    }

    fn type_form(&self, name: Atom, args: &Term) -> Option<Type> {
        if let Some(args) = args.as_list()
            && self.defined.contains(&(name, args.len()))
        {
            // From OTP 26 on, a module may define its own type of a built-in name.
            return Some(Type::Named { module: None, name, args: self.read_all(args) });
        }
        if args.as_atom().is_some_and(|any| any.text() == "any") {
            return builtin(name.text(), Vec::new());
        }
        let args = args.as_list()?;
        match (name.text(), args) {
            ("union", members) => Some(union(self.read_all(members))),
            ("tuple", elements) => Some(Type::Tuple(self.read_all(elements))),
            ("map", fields) => {
                Some(Type::Map(fields.iter().map(|field| self.map_field(field)).collect::<Option<_>>()?))
            }
            ("range", [low, high]) => Some(Type::Integer { low: Some(evaluate(low)?), high: Some(evaluate(high)?) }),
            ("binary", [base, unit]) => {
                Some(Type::Bits(BitType { base: evaluate(base)?.to_u64()?, unit: evaluate(unit)?.to_u64()? }))
            }
            ("fun", [params, result]) => Some(function(self.params(params)?, self.read(result))),
            ("bounded_fun", [fun, _]) => Some(self.read(fun)),
            ("record", [record, overrides @ ..]) => Some(self.record(atom(record)?, overrides)),
            (builtin_name, args) => match builtin(builtin_name, self.read_all(args)) {
                Some(found) => Some(found),
                // Before OTP 19, forms of the module's own types looked like this too.
                None => Some(Type::Named { module: None, name, args: self.read_all(args) }),
            },
        }
    }

    /// Reads the parameters of a function's type; `None` inside means any number of them.
    fn params(&self, form: &Term) -> Option<Option<Vec<Type>>> {
        match form.as_tuple()? {
            [_, _, product, params] if product.as_atom()?.text() == "product" => {
                Some(Some(self.read_all(params.as_list()?)))
            }
            [_, _, any] | [_, _, any, _] if any.as_atom()?.text() == "any" => Some(None),
            _ => None,
        }
    }

    fn map_field(&self, form: &Term) -> Option<MapField> {
        let [_, _, Term::Atom(kind), parts] = form.as_tuple()? else { return None };
        let [key, value] = parts.as_list()? else { return None };
        Some(MapField { key: self.read(key), value: self.read(value), required: kind.text() == "map_field_exact" })
    }

    fn record(&self, record: Atom, overrides: &[Term]) -> Type {
        if !self.records.contains_key(&record) {
            // In releases with native records, it is one of these: it is no tuple, and no value of it exists here.
            return if otp::has_native_records() { Type::None } else { Type::AnyTuple };
        }
        if overrides.is_empty() {
            return Type::Named { module: None, name: record_type_name(record), args: Vec::new() };
        }
        let overrides: Vec<_> = overrides.iter().filter_map(|form| self.field_override(form)).collect();
        self.record_tuple(record, &overrides)
    }

    /// Reads `{type,L,field_type,[{atom,_,Field},Type]}`.
    fn field_override(&self, form: &Term) -> Option<(Atom, Type)> {
        let [_, _, _, parts] = form.as_tuple()? else { return None };
        let [field, declared] = parts.as_list()? else { return None };
        Some((atom(field)?, self.read(declared)))
    }

    pub fn record_tuple(&self, record: Atom, overrides: &[(Atom, Type)]) -> Type {
        let fields = self.records.get(&record).map_or(&[][..], Vec::as_slice).iter();
        let tag = Type::Literal(Term::Atom(record));
        let types = fields.map(|(name, declared)| match overrides.iter().find(|(field, _)| field == name) {
            Some((_, narrowed)) => narrowed.clone(),
            None => declared.map_or(Type::Any, |form| self.read(form)),
        });
        Type::Tuple(std::iter::once(tag).chain(types).collect())
    }
}

fn atom(form: &Term) -> Option<Atom> {
    match form.as_tuple()? {
        [_, _, value] => value.as_atom(),
        _ => None,
    }
}
