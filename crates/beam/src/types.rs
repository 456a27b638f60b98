//! Declared types in the notations of the two languages.

use contract::TypeName;
use erlang::syntax::Notation;
use program::{BitType, MapField, Type};
use term::{Atom, Term};

/// The parts of a notation that differ between the languages.
pub struct TypeNotation {
    /// Writes a type by its name: `calendar:day()`, `Calendar.day()`.
    pub named: fn(Option<Atom>, Atom, &[String]) -> String,
    /// Writes one key of a map with its value. The last parameter says whether the key is required.
    pub field: fn(&str, &str, bool) -> String,
    pub map: fn(&[String]) -> String,
    pub function: fn(Option<&[String]>, &str) -> String,
    pub bits: fn(BitType) -> String,
    /// Writes the name of a type variable.
    pub variable: fn(Atom) -> String,
}

impl TypeNotation {
    /// Returns the name of a type, with its module.
    pub fn called(&self, name: TypeName) -> String {
        let args: Vec<String> = (0..name.arity).map(|_| "_".to_string()).collect();
        (self.named)(Some(name.module), name.name, &args)
    }
}

/// The maximum depth of a type that is shown. `MOST` limits the number of alternatives.
const DEEPEST: usize = 4;
const MOST: usize = 12;

pub fn written(notation: &dyn Notation, types: &TypeNotation, declared: &Type) -> String {
    Writer { notation, types }.at(declared, DEEPEST)
}

struct Writer<'a> {
    notation: &'a dyn Notation,
    types: &'a TypeNotation,
}

impl Writer<'_> {
    fn at(&self, declared: &Type, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "…".to_string() };
        match declared {
            Type::Any => "any()".to_string(),
            Type::None => "none()".to_string(),
            Type::Literal(term) => self.notation.term(term),
            Type::Atom => "atom()".to_string(),
            Type::Integer { low, high } => match (low, high) {
                (None, None) => "integer()".to_string(),
                (Some(low), Some(high)) => format!("{low}..{high}"),
                (Some(low), None) if low.to_string() == "0" => "non_neg_integer()".to_string(),
                (Some(low), None) if low.to_string() == "1" => "pos_integer()".to_string(),
                (None, Some(high)) if high.to_string() == "-1" => "neg_integer()".to_string(),
                (Some(low), None) => format!("{low}.."),
                (None, Some(high)) => format!("..{high}"),
            },
            Type::Float => "float()".to_string(),
            Type::List { element, tail, nonempty } => self.list(element, tail, *nonempty, depth),
            Type::AnyTuple => "tuple()".to_string(),
            Type::Tuple(parts) => self.notation.tuple(&self.all(parts, depth)),
            Type::AnyMap => "map()".to_string(),
            Type::Map(fields) => {
                let field = |field: &MapField| {
                    (self.types.field)(&self.at(&field.key, depth), &self.at(&field.value, depth), field.required)
                };
                (self.types.map)(&short(fields.iter().map(field).collect()))
            }
            Type::Bits(bits) => (self.types.bits)(*bits),
            Type::AnyFun => (self.types.function)(None, "any()"),
            Type::Fun(function) => {
                let params = function.params.as_ref().map(|params| self.all(params, depth));
                (self.types.function)(params.as_deref(), &self.at(&function.result, depth))
            }
            Type::Pid => "pid()".to_string(),
            Type::Port => "port()".to_string(),
            Type::Reference => "reference()".to_string(),
            Type::Union(members) => {
                let is_boolean = |member: &Type| matches!(member, Type::Literal(term) if *term == Term::TRUE || *term == Term::FALSE);
                if members.len() == 2 && members.iter().all(is_boolean) {
                    return "boolean()".to_string();
                }
                self.all(members, depth + 1).join(" | ")
            }
            Type::Named { module, name, args } => (self.types.named)(*module, *name, &self.all(args, depth)),
            Type::Var(name) => (self.types.variable)(*name),
        }
    }

    fn list(&self, element: &Type, tail: &Type, nonempty: bool, depth: usize) -> String {
        let element = self.at(element, depth);
        match (tail, nonempty) {
            (Type::Literal(Term::Nil), false) => self.notation.list(&[element], None),
            (Type::Literal(Term::Nil), true) => self.notation.list(&[element, "...".to_string()], None),
            (tail, _) => format!("maybe_improper_list({element}, {})", self.at(tail, depth)),
        }
    }

    fn all(&self, types: &[Type], depth: usize) -> Vec<String> {
        short(types.iter().take(MOST + 1).map(|declared| self.at(declared, depth)).collect())
    }
}

fn short(mut texts: Vec<String>) -> Vec<String> {
    if texts.len() > MOST {
        texts.truncate(MOST);
        texts.push("…".to_string());
    }
    texts
}

pub const ERLANG: TypeNotation = TypeNotation {
    named: |module, name, args| {
        let name = format!("{}({})", erlang::syntax::print_atom(name), args.join(", "));
        module.map_or_else(|| name.clone(), |module| format!("{}:{name}", erlang::syntax::print_atom(module)))
    },
    field: |key, value, required| format!("{key} {} {value}", if required { ":=" } else { "=>" }),
    map: |fields| format!("#{{{}}}", fields.join(", ")),
    function: |params, result| match params {
        Some(params) => format!("fun(({}) -> {result})", params.join(", ")),
        None => "fun()".to_string(),
    },
    bits: |bits| match (bits.base, bits.unit) {
        (0, 8) => "binary()".to_string(),
        (0, 1) => "bitstring()".to_string(),
        (8, 8) => "nonempty_binary()".to_string(),
        (0, 0) => "<<>>".to_string(),
        (base, 0) => format!("<<_:{base}>>"),
        (0, unit) => format!("<<_:_*{unit}>>"),
        (base, unit) => format!("<<_:{base}, _:_*{unit}>>"),
    },
    variable: |name| name.text().to_string(),
};

pub const ELIXIR: TypeNotation = TypeNotation {
    named: |module, name, args| {
        let name = format!("{}({})", name.text(), args.join(", "));
        let Some(module) = module else { return name };
        match module.text().strip_prefix("Elixir.") {
            Some(alias) => format!("{alias}.{name}"),
            None => format!(":{}.{name}", module.text()),
        }
    },
    field: |key, value, required| {
        let key = if required { key.to_string() } else { format!("optional({key})") };
        format!("{key} => {value}")
    },
    map: |fields| format!("%{{{}}}", fields.join(", ")),
    function: |params, result| match params {
        Some(params) => format!("({} -> {result})", params.join(", ")),
        None => "fun()".to_string(),
    },
    bits: |bits| match (bits.base, bits.unit) {
        (0, 8) => "binary()".to_string(),
        (0, 1) => "bitstring()".to_string(),
        (8, 8) => "nonempty_binary()".to_string(),
        (0, 0) => "<<>>".to_string(),
        (base, 0) => format!("<<_::{base}>>"),
        (0, unit) => format!("<<_::_*{unit}>>"),
        (base, unit) => format!("<<_::{base}, _::_*{unit}>>"),
    },
    variable: |name| name.text().to_string(),
};

#[cfg(test)]
mod tests {
    use super::*;
    use erlang::syntax::Erlang;
    use erlang::syntax::elixir::{Elixir, NoStructs};
    use term::BigInt;

    #[test]
    fn types_are_written_as_in_the_source() {
        let port = Type::Integer { low: Some(BigInt::from(0)), high: Some(BigInt::from(65535)) };
        let day = Type::Named { module: Some(Atom::new("calendar")), name: Atom::new("day"), args: Vec::new() };
        let error = Type::Tuple(vec![Type::Literal(Term::atom("error")), Type::Atom]);
        let fields = vec![MapField { key: Type::Literal(Term::atom("port")), value: port, required: false }];
        let whole =
            Type::Union(vec![Type::list(day), error, Type::Map(fields), Type::Bits(BitType { base: 0, unit: 8 })]);
        assert_eq!(
            written(&Erlang, &ERLANG, &whole),
            "[calendar:day()] | {error, atom()} | #{port => 0..65535} | binary()"
        );
        assert_eq!(
            written(&Elixir { structs: Box::new(NoStructs) }, &ELIXIR, &whole),
            "[:calendar.day()] | {:error, atom()} | %{optional(:port) => 0..65535} | binary()"
        );
    }
}
