//! Reading of `-type`, `-opaque`, `-record`, `-spec` and `-callback` to `program::Types`.
//!
//! Reads the abstract forms that the compiler keeps as attributes. Checks nothing: an unknown form is `any()`, so that
//! a new notation reduces precision but does not make the module unreadable. Record types are definitions, too, under
//! the name `#record`, because they may be recursive.

mod builtin;
mod form;
mod integer;

pub use builtin::{builtin_definition, builtin_definitions};

use form::Reader;
use program::{RecordDef, Spec, SpecClause, Type, TypeDef, Types};
use rustc_hash::FxHashSet;
use term::{Atom, Term};

/// Reads the declarations of one module: attributes by name, in order.
pub(crate) fn read(declarations: &[(Atom, &Term)]) -> Types {
    let of = |wanted: &'static [&'static str]| {
        declarations
            .iter()
            .filter(move |(name, _)| wanted.contains(&name.text()))
            .flat_map(|(name, value)| value.as_list().unwrap_or(&[]).iter().map(move |item| (*name, item)))
    };
    let mut reader = Reader::default();
    for (_, record) in of(&["record"]) {
        if let Some([Term::Atom(name), fields]) = record.as_tuple() {
            reader.records.insert(*name, fields.as_list().unwrap_or(&[]).iter().filter_map(record_field).collect());
        }
    }
    let definitions: Vec<_> =
        of(&["type", "opaque", "nominal"]).filter_map(|(kind, item)| definition(kind, item)).collect();
    reader.defined = definitions
        .iter()
        .filter(|definition| !definition.is_built_in())
        .map(|definition| (definition.name, definition.params.len()))
        .collect();
    let exported = exported(of(&["export_type"]).map(|(_, item)| item));
    let mut types = Types::default();
    for Definition { name, body, params, opaque } in definitions {
        let exported = exported.contains(&(name, params.len()));
        types.definitions.push(TypeDef { name, params, body: reader.read(body), opaque, exported });
    }
    let mut records: Vec<_> = reader.records.keys().copied().collect();
    records.sort_by_key(|record| record.text());
    for record in records {
        types.definitions.push(TypeDef {
            name: form::record_type_name(record),
            params: Vec::new(),
            body: reader.record_tuple(record, &[]),
            opaque: false,
            exported: false,
        });
    }
    types.records = of(&["record"]).filter_map(|(_, record)| record_definition(record)).collect();
    types.specs = of(&["spec"]).filter_map(|(_, item)| spec(&reader, item)).collect();
    types.callbacks = of(&["callback"]).filter_map(|(_, item)| spec(&reader, item)).collect();
    types
}

struct Definition<'a> {
    name: Atom,
    body: &'a Term,
    params: Vec<Atom>,
    opaque: bool,
}

impl Definition<'_> {
    /// Returns whether it is a definition such as `-type integer() :: integer().`, which the module `erlang` has for
    /// its manual.
    fn is_built_in(&self) -> bool {
        match self.body.as_tuple() {
            Some([tag, _, Term::Atom(name), args]) => {
                tag.as_atom().is_some_and(|tag| tag.text() == "type")
                    && *name == self.name
                    && args.as_list().map_or(0, <[Term]>::len) == self.params.len()
            }
            _ => false,
        }
    }
}

fn definition(kind: Atom, item: &Term) -> Option<Definition<'_>> {
    let [Term::Atom(name), body, params] = item.as_tuple()? else { return None };
    let params = params.as_list()?.iter().map(variable_name).collect::<Option<_>>()?;
    Some(Definition { name: *name, body, params, opaque: kind.text() == "opaque" })
}

fn variable_name(form: &Term) -> Option<Atom> {
    match form.as_tuple()? {
        [tag, _, Term::Atom(name)] if tag.as_atom()?.text() == "var" => Some(*name),
        _ => None,
    }
}

/// Reads `{record_field,L,Name}`, the same with a default, or one of these with a type.
fn record_field(form: &Term) -> Option<(Atom, Option<&Term>)> {
    match form.as_tuple()? {
        [tag, field, declared] if tag.as_atom()?.text() == "typed_record_field" => {
            Some((record_field(field)?.0, Some(declared)))
        }
        [_, _, name, ..] => match name.as_tuple()? {
            [_, _, Term::Atom(name)] => Some((*name, None)),
            _ => None,
        },
        _ => None,
    }
}

fn record_definition(record: &Term) -> Option<RecordDef> {
    let [Term::Atom(name), fields] = record.as_tuple()? else { return None };
    let fields = fields.as_list().unwrap_or(&[]).iter();
    let fields = fields.map(|field| Some((record_field(field)?.0, default(field)))).collect::<Option<_>>()?;
    Some(RecordDef { name: *name, fields })
}

/// Returns the default of a field, if that is a constant; `undefined` if none is declared.
fn default(field: &Term) -> Option<Term> {
    match field.as_tuple()? {
        [tag, field, _] if tag.as_atom()?.text() == "typed_record_field" => match field.as_tuple()? {
            [_, _, _, default] => constant(default, 0),
            _ => Some(Term::atom("undefined")),
        },
        [_, _, _, default] => constant(default, 0),
        _ => Some(Term::atom("undefined")),
    }
}

/// The maximum depth of a default. Deeper ones count as unknown.
const DEEPEST_DEFAULT: usize = 16;

/// Returns the value of a form, for the usual constants.
fn constant(form: &Term, depth: usize) -> Option<Term> {
    if depth > DEEPEST_DEFAULT {
        return None;
    }
    let parts = form.as_tuple()?;
    let tag = parts.first()?.as_atom()?;
    match (tag.text(), parts) {
        ("atom" | "integer" | "float" | "string", [_, _, value]) => Some(value.clone()),
        ("nil", [_, _]) => Some(Term::Nil),
        ("cons", [_, _, head, tail]) => {
            let (head, tail) = (constant(head, depth + 1)?, constant(tail, depth + 1)?);
            Some(Term::list_with_tail(vec![head], tail))
        }
        ("tuple", [_, _, items]) => {
            let items = items.as_list()?.iter().map(|item| constant(item, depth + 1));
            Some(Term::tuple(items.collect::<Option<Vec<_>>>()?))
        }
        ("map", [_, _, Term::Nil]) => Some(Term::Map([].into())),
        ("bin", [_, _, Term::Nil]) => Some(Term::Bits(term::Bits::new(Vec::new(), 0))),
        _ => None,
    }
}

fn exported<'a>(items: impl Iterator<Item = &'a Term>) -> FxHashSet<(Atom, usize)> {
    let mut exported = FxHashSet::default();
    for item in items {
        let names = item.as_list().unwrap_or(std::slice::from_ref(item));
        exported.extend(names.iter().filter_map(|name| match name.as_tuple()? {
            [Term::Atom(name), Term::Int(arity)] => Some((*name, usize::try_from(*arity).ok()?)),
            _ => None,
        }));
    }
    exported
}

fn spec(reader: &Reader<'_>, item: &Term) -> Option<Spec> {
    let [function, clauses] = item.as_tuple()? else { return None };
    let (name, arity) = match function.as_tuple()? {
        [Term::Atom(name), Term::Int(arity)] | [_, Term::Atom(name), Term::Int(arity)] => (*name, *arity),
        _ => return None,
    };
    let clauses = clauses.as_list()?.iter().filter_map(|clause| spec_clause(reader, clause)).collect();
    Some(Spec { name, arity: u32::try_from(arity).ok()?, clauses })
}

fn spec_clause(reader: &Reader<'_>, form: &Term) -> Option<SpecClause> {
    let [_, _, Term::Atom(kind), parts] = form.as_tuple()? else { return None };
    match (kind.text(), parts.as_list()?) {
        ("bounded_fun", [fun, constraints]) => {
            let mut clause = spec_clause(reader, fun)?;
            clause.bounds = constraints.as_list()?.iter().filter_map(|bound| constraint(reader, bound)).collect();
            Some(clause)
        }
        ("fun", [params, result]) => {
            let [_, _, _, params] = params.as_tuple()? else { return None };
            let params = params.as_list()?.iter().map(|param| reader.read(param)).collect();
            Some(SpecClause { params, result: reader.read(result), bounds: Vec::new() })
        }
        _ => None,
    }
}

/// Reads `{type,L,constraint,[{atom,_,is_subtype},[{var,_,V},Type]]}`.
fn constraint(reader: &Reader<'_>, form: &Term) -> Option<(Atom, Type)> {
    let [_, _, _, parts] = form.as_tuple()? else { return None };
    let [_, bound] = parts.as_list()? else { return None };
    let [var, bound] = bound.as_list()? else { return None };
    Some((variable_name(var)?, reader.read(bound)))
}
