//! The types that the language defines. The recursive ones are definitions of the module `erlang`; all others are
//! expanded where they are used.

use program::{BitType, FunType, Type, TypeDef};
use std::sync::LazyLock;
use term::{Atom, BigInt, Term, names};

/// Returns the definitions of the recursive built-in types.
pub fn builtin_definitions() -> &'static [TypeDef] {
    static DEFINITIONS: LazyLock<Vec<TypeDef>> = LazyLock::new(|| {
        vec![TypeDef {
            name: Atom::new("iolist"),
            params: Vec::new(),
            body: Type::List {
                element: Box::new(Type::Union(vec![integers(0, 255), binary(), iolist()])),
                tail: Box::new(Type::Union(vec![binary(), nil()])),
                nonempty: false,
            },
            opaque: false,
            exported: true,
        }]
    });
    &DEFINITIONS
}

/// Returns the definition that `Type::Named { module: Some(erlang), name, .. }` refers to, if it is built in.
pub fn builtin_definition(name: Atom, arity: usize) -> Option<&'static TypeDef> {
    builtin_definitions().iter().find(|definition| definition.name == name && definition.params.len() == arity)
}

/// Returns the built-in type with this name and these arguments.
pub(super) fn builtin(name: &str, mut args: Vec<Type>) -> Option<Type> {
    let found = match (name, args.len()) {
        ("any" | "term" | "dynamic", 0) => Type::Any,
        ("none" | "no_return", 0) => Type::None,
        ("atom" | "module" | "node", 0) => Type::Atom,
        ("boolean" | "bool", 0) => Type::Union(vec![Type::Literal(Term::TRUE), Type::Literal(Term::FALSE)]),
        ("integer", 0) => Type::integer(),
        ("non_neg_integer", 0) => Type::Integer { low: Some(BigInt::from(0)), high: None },
        ("pos_integer", 0) => Type::Integer { low: Some(BigInt::from(1)), high: None },
        ("neg_integer", 0) => Type::Integer { low: None, high: Some(BigInt::from(-1)) },
        ("byte" | "arity", 0) => integers(0, 255),
        ("char", 0) => integers(0, 0x10_ffff),
        ("float", 0) => Type::Float,
        ("number", 0) => Type::Union(vec![Type::integer(), Type::Float]),
        ("timeout", 0) => Type::Union(vec![
            Type::Literal(Term::Atom(names::INFINITY)),
            Type::Integer { low: Some(BigInt::from(0)), high: None },
        ]),
        ("pid", 0) => Type::Pid,
        ("port", 0) => Type::Port,
        ("reference", 0) => Type::Reference,
        ("identifier", 0) => Type::Union(vec![Type::Pid, Type::Port, Type::Reference]),
        ("fun" | "function", 0) => Type::AnyFun,
        ("mfa", 0) => Type::Tuple(vec![Type::Atom, Type::Atom, integers(0, 255)]),
        ("tuple", 0) => Type::AnyTuple,
        ("map", 0) => Type::AnyMap,
        ("binary", 0) => binary(),
        ("bitstring", 0) => Type::Bits(BitType { base: 0, unit: 1 }),
        ("nonempty_binary", 0) => Type::Bits(BitType { base: 8, unit: 8 }),
        ("nonempty_bitstring", 0) => Type::Bits(BitType { base: 1, unit: 1 }),
        ("nil", 0) => nil(),
        ("iolist", 0) => iolist(),
        ("iodata", 0) => Type::Union(vec![iolist(), binary()]),
        ("list", 0) => Type::list(Type::Any),
        ("list", 1) => Type::list(args.remove(0)),
        ("nonempty_list", 0) => list(Type::Any, nil(), true),
        ("nonempty_list", 1) => list(args.remove(0), nil(), true),
        ("string", 0) => Type::list(integers(0, 0x10_ffff)),
        ("nonempty_string", 0) => list(integers(0, 0x10_ffff), nil(), true),
        ("maybe_improper_list", 0) => list(Type::Any, Type::Any, false),
        ("maybe_improper_list", 2) => list(args.remove(0), or_nil(args.remove(0)), false),
        ("nonempty_maybe_improper_list", 0) => list(Type::Any, Type::Any, true),
        ("nonempty_maybe_improper_list", 2) => list(args.remove(0), or_nil(args.remove(0)), true),
        ("nonempty_improper_list" | "improper_list", 2) => list(args.remove(0), args.remove(0), true),
        _ => return None,
    };
    Some(found)
}

/// Returns the union of types. Alternatives beside `any()` are kept, because they show what is expected.
pub(super) fn union(parts: impl IntoIterator<Item = Type>) -> Type {
    let mut members: Vec<Type> = Vec::new();
    for part in parts {
        let inner = match part {
            Type::None => continue,
            Type::Union(inner) => inner,
            other => vec![other],
        };
        for member in inner {
            if !members.contains(&member) {
                members.push(member);
            }
        }
    }
    match members.len() {
        0 => Type::None,
        1 => members.remove(0),
        _ => Type::Union(members),
    }
}

pub(super) fn function(params: Option<Vec<Type>>, result: Type) -> Type {
    Type::Fun(Box::new(FunType { params, result }))
}

fn integers(low: i64, high: i64) -> Type {
    Type::Integer { low: Some(BigInt::from(low)), high: Some(BigInt::from(high)) }
}

fn binary() -> Type {
    Type::Bits(BitType { base: 0, unit: 8 })
}

fn nil() -> Type {
    Type::Literal(Term::Nil)
}

fn iolist() -> Type {
    Type::Named { module: Some(names::ERLANG), name: Atom::new("iolist"), args: Vec::new() }
}

fn list(element: Type, tail: Type, nonempty: bool) -> Type {
    Type::List { element: Box::new(element), tail: Box::new(tail), nonempty }
}

/// Returns the type of tails that may also be `[]`: "maybe improper" includes proper lists.
fn or_nil(tail: Type) -> Type {
    if tail == Type::Any { tail } else { union([tail, nil()]) }
}
