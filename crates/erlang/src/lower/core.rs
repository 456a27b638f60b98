//! Core Erlang's syntax tree as OTP's compiler produces it: records that are tuples of a tag, a list of annotations and
//! fields. They are recognised here, one node at a time and without copying.
//!
//! Knows the shape of every record, but not its meaning.

use term::{Atom, Term, names};

/// The error for a term that is not Core Erlang as a compiler produces it; the text names the node.
#[derive(Debug)]
pub(super) struct Malformed(pub String);

pub(super) type Result<T> = std::result::Result<T, Malformed>;

/// The name of a variable. Names that the compiler invents are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum CoreName {
    Number(i64),
    Atom(Atom),
}

pub(super) enum CoreNode<'a> {
    Alias {
        var: &'a Term,
        pattern: &'a Term,
    },
    Apply {
        op: &'a Term,
        args: &'a [Term],
    },
    Binary(&'a [Term]),
    Call {
        module: &'a Term,
        name: &'a Term,
        args: &'a [Term],
    },
    Case {
        arg: &'a Term,
        clauses: &'a [Term],
    },
    Catch(&'a Term),
    Cons {
        head: &'a Term,
        tail: &'a Term,
    },
    Fun {
        vars: &'a [Term],
        body: &'a Term,
    },
    /// The name of a function of the module or of an enclosing `letrec`.
    FunctionName(Atom, u32),
    Let {
        vars: &'a [Term],
        arg: &'a Term,
        body: &'a Term,
    },
    Letrec {
        defs: &'a [Term],
        body: &'a Term,
    },
    Literal(&'a Term),
    Map {
        arg: &'a Term,
        pairs: &'a [Term],
    },
    /// A check that the compiler's own tests put into code; it has no meaning at run time.
    Opaque,
    Primop {
        name: Atom,
        args: &'a [Term],
    },
    /// A native record (OTP 29): its creation, an update, or a pattern.
    Record(&'a [Term]),
    Seq {
        arg: &'a Term,
        body: &'a Term,
    },
    Try {
        arg: &'a Term,
        vars: &'a [Term],
        body: &'a Term,
        handler_vars: &'a [Term],
        handler: &'a Term,
    },
    Tuple(&'a [Term]),
    Values(&'a [Term]),
    Var(CoreName),
}

pub(super) struct Clause<'a> {
    pub anno: Anno<'a>,
    pub patterns: &'a [Term],
    pub guard: &'a Term,
    pub body: &'a Term,
}

pub(super) struct MapPair<'a> {
    pub exact: bool,
    pub key: &'a Term,
    pub value: &'a Term,
}

pub(super) struct Bitstr<'a> {
    pub value: &'a Term,
    pub size: &'a Term,
    pub unit: &'a Term,
    pub kind: &'a Term,
    pub flags: &'a Term,
}

pub(super) struct CoreModule<'a> {
    pub name: Atom,
    pub exports: &'a [Term],
    pub attributes: &'a [Term],
    pub definitions: &'a [Term],
}

/// The annotations of a node, most of which are not used.
#[derive(Clone, Copy)]
pub(super) struct Anno<'a>(&'a [Term]);

impl<'a> Anno<'a> {
    pub fn has(self, flag: &str) -> bool {
        self.0.iter().any(|item| item.as_atom().is_some_and(|atom| atom.text() == flag))
    }

    /// Returns line and column; a line alone has column 0.
    pub fn location(self) -> Option<(u32, u16)> {
        self.0.iter().find_map(|item| match item {
            Term::Int(line) => Some((clamp(*line), 0)),
            Term::Tuple(pair) => match &pair[..] {
                [Term::Int(line), Term::Int(column)] => Some((clamp(*line), u16::try_from(*column).unwrap_or(0))),
                _ => None,
            },
            _ => None,
        })
    }

    pub fn file(self) -> Option<&'a Term> {
        self.tagged("file")
    }

    /// Returns the function that this node was written in, if the compiler says so.
    pub fn function(self) -> Option<(Atom, u32)> {
        function_name(self.tagged("function")?)
    }

    /// Returns the name that the compiler gave to an anonymous function.
    pub fn fun_name(self) -> Option<Atom> {
        match self.tagged("id")?.as_tuple()? {
            [_, _, name] => name.as_atom(),
            _ => None,
        }
    }

    fn tagged(self, tag: &str) -> Option<&'a Term> {
        self.0.iter().find_map(|item| match item.as_tuple()? {
            [Term::Atom(found), value] if found.text() == tag => Some(value),
            _ => None,
        })
    }
}

fn clamp(line: i64) -> u32 {
    u32::try_from(line).unwrap_or(0)
}

pub(super) fn node(term: &Term) -> Result<(Anno<'_>, CoreNode<'_>)> {
    let (tag, anno, fields) = record(term)?;
    let node = match (tag, fields) {
        (names::C_VAR, [name]) => variable(name)?,
        (names::C_LITERAL, [value]) => CoreNode::Literal(value),
        (names::C_LET, [vars, arg, body]) => CoreNode::Let { vars: list(vars)?, arg, body },
        (names::C_CALL, [module, name, args]) => CoreNode::Call { module, name, args: list(args)? },
        (names::C_APPLY, [op, args]) => CoreNode::Apply { op, args: list(args)? },
        (names::C_CASE, [arg, clauses]) => CoreNode::Case { arg, clauses: list(clauses)? },
        (names::C_CONS, [head, tail]) => CoreNode::Cons { head, tail },
        (names::C_TUPLE, [elements]) => CoreNode::Tuple(list(elements)?),
        (names::C_VALUES, [elements]) => CoreNode::Values(list(elements)?),
        (names::C_SEQ, [arg, body]) => CoreNode::Seq { arg, body },
        (names::C_FUN, [vars, body]) => CoreNode::Fun { vars: list(vars)?, body },
        (names::C_PRIMOP, [name, args]) => CoreNode::Primop { name: literal_atom(name)?, args: list(args)? },
        (names::C_LETREC, [defs, body]) => CoreNode::Letrec { defs: list(defs)?, body },
        (names::C_MAP, [arg, pairs, _is_pattern]) => CoreNode::Map { arg, pairs: list(pairs)? },
        (names::C_BINARY, [segments]) => CoreNode::Binary(list(segments)?),
        (names::C_ALIAS, [var, pattern]) => CoreNode::Alias { var, pattern },
        (names::C_TRY, [arg, vars, body, handler_vars, handler]) => {
            CoreNode::Try { arg, vars: list(vars)?, body, handler_vars: list(handler_vars)?, handler }
        }
        (names::C_CATCH, [body]) => CoreNode::Catch(body),
        (names::C_RECORD, [_, _, pairs]) => CoreNode::Record(list(pairs)?),
        (names::C_OPAQUE, [_]) => CoreNode::Opaque,
        _ => return Err(Malformed(format!("{tag} with {} fields where an expression should be", fields.len()))),
    };
    Ok((anno, node))
}

pub(super) fn clause(term: &Term) -> Result<Clause<'_>> {
    match record(term)? {
        (names::C_CLAUSE, anno, [patterns, guard, body]) => Ok(Clause { anno, patterns: list(patterns)?, guard, body }),
        (tag, _, _) => Err(Malformed(format!("{tag} where a clause should be"))),
    }
}

pub(super) fn map_pair(term: &Term) -> Result<MapPair<'_>> {
    match record(term)? {
        (names::C_MAP_PAIR, _, [op, key, value]) => {
            Ok(MapPair { exact: literal_atom(op)?.text() == "exact", key, value })
        }
        (tag, _, _) => Err(Malformed(format!("{tag} where a pair of a map should be"))),
    }
}

/// Returns the value of a field of a native record.
pub(super) fn record_value(term: &Term) -> Result<&Term> {
    match record(term)? {
        (names::C_RECORD_PAIR, _, [_, value]) => Ok(value),
        (tag, _, _) => Err(Malformed(format!("{tag} where a field of a record should be"))),
    }
}

pub(super) fn bitstr(term: &Term) -> Result<Bitstr<'_>> {
    match record(term)? {
        (names::C_BITSTR, _, [value, size, unit, kind, flags]) => {
            Ok(Bitstr { value, size, unit: literal(unit)?, kind: literal(kind)?, flags: literal(flags)? })
        }
        (tag, _, _) => Err(Malformed(format!("{tag} where a segment of a binary should be"))),
    }
}

pub(super) fn module(term: &Term) -> Result<CoreModule<'_>> {
    match record(term)? {
        (names::C_MODULE, _, [name, exports, attributes, definitions]) => Ok(CoreModule {
            name: literal_atom(name)?,
            exports: list(exports)?,
            attributes: list(attributes)?,
            definitions: list(definitions)?,
        }),
        (tag, _, _) => Err(Malformed(format!("{tag} where a module should be"))),
    }
}

/// Returns the left and right side of a definition or an attribute.
pub(super) fn pair(term: &Term) -> Result<(&Term, &Term)> {
    match term.as_tuple() {
        Some([left, right]) => Ok((left, right)),
        _ => Err(Malformed("a definition that is no pair".into())),
    }
}

pub(super) fn literal(term: &Term) -> Result<&Term> {
    match record(term)? {
        (names::C_LITERAL, _, [value]) => Ok(value),
        (tag, _, _) => Err(Malformed(format!("{tag} where a literal should be"))),
    }
}

pub(super) fn list(term: &Term) -> Result<&[Term]> {
    term.as_list().ok_or_else(|| Malformed("a field that should be a proper list".into()))
}

fn literal_atom(term: &Term) -> Result<Atom> {
    literal(term)?.as_atom().ok_or_else(|| Malformed("a literal that should be an atom".into()))
}

fn record(term: &Term) -> Result<(Atom, Anno<'_>, &[Term])> {
    match term.as_tuple() {
        Some([Term::Atom(tag), anno, fields @ ..]) => Ok((*tag, Anno(anno.as_list().unwrap_or(&[])), fields)),
        _ => Err(Malformed("a term that is no node of Core Erlang".into())),
    }
}

fn variable(name: &Term) -> Result<CoreNode<'_>> {
    match name {
        Term::Atom(atom) => Ok(CoreNode::Var(CoreName::Atom(*atom))),
        Term::Int(number) => Ok(CoreNode::Var(CoreName::Number(*number))),
        _ => match function_name(name) {
            Some((name, arity)) => Ok(CoreNode::FunctionName(name, arity)),
            None => Err(Malformed("a variable without a name".into())),
        },
    }
}

fn function_name(term: &Term) -> Option<(Atom, u32)> {
    match term.as_tuple()? {
        [Term::Atom(name), Term::Int(arity)] => Some((*name, u32::try_from(*arity).ok()?)),
        _ => None,
    }
}
