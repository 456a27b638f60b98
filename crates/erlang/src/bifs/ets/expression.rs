//! Guards and bodies of match specifications: expressions over the variables of a head.
//!
//! A function that fails makes a guard fail. In a body, its value is the atom `'EXIT'`, and the evaluation goes on with
//! it.

use super::pattern::variable;
use crate::bifs;
use crate::otp;
use machine::{Context, Domain, Escape, Primitive, Word};
use path::Concretised;
use term::{Atom, names};

pub enum Expression {
    Constant(Word),
    /// The index of the variable's value in a match.
    Variable(usize),
    Object,
    AllVariables,
    Itself,
    List(Vec<Expression>, Box<Expression>),
    Tuple(Vec<Expression>),
    Map(Vec<(Expression, Expression)>),
    /// A connective that evaluates all operands first, like `and` and `or`.
    Strict(Connective, Vec<Expression>),
    /// A connective that evaluates operands until the result is known, like `andalso` and `orelse`.
    Lazy(Connective, Vec<Expression>),
    Call(&'static Primitive, Vec<Expression>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Connective {
    And,
    Or,
}

/// A mistake in a specification.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    #[error("variable ${0} is not bound by the head")]
    Unbound(u64),
    #[error("{0}/{1} is no function of match specifications")]
    NoSuchFunction(Atom, usize),
    #[error("not a match specification")]
    NotAnExpression,
    #[error("nested too deeply")]
    TooDeep,
    /// A function of match specifications that has no row.
    #[error("{0}/{1} is not supported")]
    Unsupported(Atom, usize),
}

/// The BEAM of OTP 25 compiles specifications on the stack of its thread and answers `system_limit` when that
/// overflows: after about 2,300 nested tuples, or 3,200 nested calls or list cells. Later releases have no such limit.
const MAX_DEPTH: usize = 15_950;
const TUPLE_DEPTH: usize = 7;
const OTHER_DEPTH: usize = 5;

/// The functions that a specification may call, by name and number of arguments.
const FUNCTIONS: &[(&str, &[usize])] = &[
    ("is_atom", &[1]),
    ("is_float", &[1]),
    ("is_integer", &[1]),
    ("is_list", &[1]),
    ("is_number", &[1]),
    ("is_pid", &[1]),
    ("is_port", &[1]),
    ("is_reference", &[1]),
    ("is_tuple", &[1]),
    ("is_map", &[1]),
    ("is_binary", &[1]),
    ("is_function", &[1]),
    ("is_record", &[3]),
    ("abs", &[1]),
    ("element", &[2]),
    ("hd", &[1]),
    ("length", &[1]),
    ("node", &[0, 1]),
    ("round", &[1]),
    ("size", &[1]),
    ("map_size", &[1]),
    ("map_get", &[2]),
    ("is_map_key", &[2]),
    ("bit_size", &[1]),
    ("byte_size", &[1]),
    ("binary_part", &[2, 3]),
    ("tl", &[1]),
    ("trunc", &[1]),
    ("float", &[1]),
    ("+", &[1, 2]),
    ("-", &[1, 2]),
    ("*", &[2]),
    ("/", &[2]),
    ("div", &[2]),
    ("rem", &[2]),
    ("band", &[2]),
    ("bor", &[2]),
    ("bxor", &[2]),
    ("bnot", &[1]),
    ("bsl", &[2]),
    ("bsr", &[2]),
    (">", &[2]),
    (">=", &[2]),
    ("<", &[2]),
    ("=<", &[2]),
    ("=:=", &[2]),
    ("==", &[2]),
    ("=/=", &[2]),
    ("/=", &[2]),
    ("not", &[1]),
    ("xor", &[2]),
];

/// Further functions that a specification may call from OTP 26 on.
const FUNCTIONS_SINCE_26: &[(&str, &[usize])] = &[
    ("ceil", &[1]),
    ("floor", &[1]),
    ("is_bitstring", &[1]),
    ("is_boolean", &[1]),
    ("is_function", &[2]),
    ("max", &[2]),
    ("min", &[2]),
    ("tuple_size", &[1]),
];

const FUNCTIONS_SINCE_29: &[(&str, &[usize])] = &[("is_integer", &[3])];

impl Expression {
    /// Compiles an expression. `variables` are those of the head, in order.
    pub fn compile(term: Word, variables: &[u64]) -> Result<Expression, Wrong> {
        compile(term, variables, 0)
    }
}

fn compile(term: Word, variables: &[u64], depth: usize) -> Result<Expression, Wrong> {
    if depth > MAX_DEPTH {
        return Err(Wrong::TooDeep);
    }
    // A symbolic value that is left in a specification is neither a variable nor a call.
    if term.is_symbolic() {
        return Ok(Expression::Constant(term));
    }
    let inner = |term: Word, more: usize| grow(|| compile(term, variables, depth + more));
    if let Some(atom) = term.as_atom() {
        return match variable(atom) {
            Some(number) => match variables.binary_search(&number) {
                Ok(place) => Ok(Expression::Variable(place)),
                Err(_) => Err(Wrong::Unbound(number)),
            },
            None if atom == names::WHOLE_OBJECT => Ok(Expression::Object),
            None if atom == names::ALL_BINDINGS => Ok(Expression::AllVariables),
            None => Ok(Expression::Constant(term)),
        };
    }
    if term.is_cons() {
        let mut items = Vec::new();
        let mut rest = term;
        let mut constant = true;
        while rest.is_cons() {
            let item = inner(rest.head(), OTHER_DEPTH * (items.len() + 1))?;
            constant &= matches!(item, Expression::Constant(word) if word == rest.head());
            items.push(item);
            rest = rest.tail().concrete();
        }
        let tail = inner(rest, OTHER_DEPTH * items.len())?;
        constant &= matches!(tail, Expression::Constant(word) if word == rest);
        // A list of constants is itself a constant.
        return Ok(if constant { Expression::Constant(term) } else { Expression::List(items, Box::new(tail)) });
    }
    if term.is_map() {
        let pairs = term.map_iter().map(|(key, value)| Ok((inner(key, TUPLE_DEPTH)?, inner(value, TUPLE_DEPTH)?)));
        return Ok(Expression::Map(pairs.collect::<Result<_, Wrong>>()?));
    }
    let Some(elements) = term.as_tuple() else { return Ok(Expression::Constant(term)) };
    let all = |terms: &[Word], more| terms.iter().map(|term| inner(*term, more)).collect::<Result<Vec<_>, Wrong>>();
    if let [only] = elements
        && let Some(elements) = only.concrete().as_tuple()
    {
        return Ok(Expression::Tuple(all(elements, TUPLE_DEPTH)?));
    }
    let (name, arguments) = match elements.split_first() {
        Some((name, arguments)) => (name.concrete().as_atom().ok_or(Wrong::NotAnExpression)?, arguments),
        None => return Err(Wrong::NotAnExpression),
    };
    if variable(name).is_some() {
        return Err(Wrong::NotAnExpression);
    }
    if let ("const", [constant]) = (name.text(), arguments) {
        return Ok(Expression::Constant(*constant));
    }
    let known = match (name.text(), arguments) {
        ("self", []) => return Ok(Expression::Itself),
        ("and" | "or" | "andalso" | "andthen" | "orelse", [_, ..]) => None,
        _ => Some(function(name, arguments.len())?),
    };
    let operands = all(arguments, OTHER_DEPTH)?;
    Ok(match (known, name.text()) {
        (Some(row), _) => Expression::Call(row, operands),
        (None, "and") => Expression::Strict(Connective::And, operands),
        (None, "or") => Expression::Strict(Connective::Or, operands),
        (None, "orelse") => Expression::Lazy(Connective::Or, operands),
        (None, _) => Expression::Lazy(Connective::And, operands),
    })
}

fn function(name: Atom, arity: usize) -> Result<&'static Primitive, Wrong> {
    let holds = |functions: &[(&str, &[usize])]| {
        functions.iter().any(|(text, arities)| *text == name.text() && arities.contains(&arity))
    };
    let release = otp::release();
    let known =
        holds(FUNCTIONS) || release >= 26 && holds(FUNCTIONS_SINCE_26) || release >= 29 && holds(FUNCTIONS_SINCE_29);
    if !known {
        return Err(Wrong::NoSuchFunction(name, arity));
    }
    bifs::find(names::ERLANG, name, arity as u32).ok_or(Wrong::Unsupported(name, arity))
}

/// The values that an expression is evaluated with.
pub struct Environment<'a> {
    pub object: Word,
    pub values: &'a [Word],
    /// Whether failures become values, as in bodies.
    pub catches: bool,
}

impl Environment<'_> {
    /// Evaluates an expression; `Ok(None)` if a guard fails.
    pub fn evaluate(&self, context: &mut Context, expression: &Expression) -> Result<Option<Word>, Escape> {
        Ok(Some(match expression {
            Expression::Constant(word) => *word,
            Expression::Variable(place) => self.values[*place],
            Expression::Object => self.object,
            Expression::AllVariables => context.heap.list(self.values, Word::NIL),
            Expression::Itself => context.process.pid,
            Expression::List(items, tail) => {
                let (Some(items), Some(tail)) = (self.all(context, items)?, self.inner(context, tail)?) else {
                    return Ok(None);
                };
                context.heap.list(&items, tail)
            }
            Expression::Tuple(items) => match self.all(context, items)? {
                Some(items) => context.heap.tuple(&items),
                None => return Ok(None),
            },
            Expression::Map(pairs) => {
                let mut values = Vec::with_capacity(pairs.len());
                for (key, value) in pairs {
                    match (self.inner(context, key)?, self.inner(context, value)?) {
                        (Some(key), Some(value)) => {
                            if context.heap.is_shadowed(key) {
                                context.lose(Concretised::KeyOfMatchedMap);
                            }
                            values.push((context.heap.without_shadows(key), value));
                        }
                        _ => return Ok(None),
                    }
                }
                context.heap.map_of(&values)
            }
            Expression::Strict(connective, operands) => match self.all(context, operands)? {
                Some(values) => match strict(context, *connective, &values) {
                    Some(result) => Word::boolean(result),
                    None => return Ok(self.failure()),
                },
                None => return Ok(None),
            },
            Expression::Lazy(connective, operands) => return self.lazy(context, *connective, operands),
            Expression::Call(row, arguments) => match self.all(context, arguments)? {
                Some(arguments) => return self.call(context, row, &arguments),
                None => return Ok(None),
            },
        }))
    }

    fn inner(&self, context: &mut Context, expression: &Expression) -> Result<Option<Word>, Escape> {
        grow(|| self.evaluate(context, expression))
    }

    fn all(&self, context: &mut Context, expressions: &[Expression]) -> Result<Option<Vec<Word>>, Escape> {
        expressions
            .iter()
            .map(|expression| self.inner(context, expression).transpose())
            .collect::<Option<_>>()
            .transpose()
    }

    /// Evaluates operands until the result is known. The last operand may have any value.
    fn lazy(
        &self,
        context: &mut Context,
        connective: Connective,
        operands: &[Expression],
    ) -> Result<Option<Word>, Escape> {
        let decisive = connective == Connective::Or;
        for (index, operand) in operands.iter().enumerate() {
            let Some(value) = self.inner(context, operand)? else { return Ok(None) };
            if index + 1 == operands.len() {
                return Ok(Some(value));
            }
            if !context.is_within(Domain::Boolean, value) {
                return Ok(self.failure());
            }
            if context.is_true(value) == decisive {
                return Ok(Some(value));
            }
        }
        Ok(self.failure())
    }

    fn call(&self, context: &mut Context, row: &'static Primitive, args: &[Word]) -> Result<Option<Word>, Escape> {
        match context.apply_row(row, args, false) {
            Ok(value) => Ok(Some(value)),
            Err(Escape::Raise) => {
                context.take_exception();
                Ok(self.failure())
            }
            Err(
                escape @ (Escape::Call
                | Escape::Ask(_)
                | Escape::CallFirst
                | Escape::Stack
                | Escape::Tell
                | Escape::Wait
                | Escape::Yield
                | Escape::Restart
                | Escape::End
                | Escape::Stop),
            ) => Err(escape),
        }
    }

    fn failure(&self) -> Option<Word> {
        self.catches.then(|| names::EXIT_UPPER.into())
    }
}

/// Combines the values; `None` if one of them is not a boolean.
fn strict(context: &mut Context, connective: Connective, values: &[Word]) -> Option<bool> {
    let mut booleans = Vec::with_capacity(values.len());
    for value in values {
        if !context.is_within(Domain::Boolean, *value) {
            return None;
        }
        booleans.push(context.is_true(*value));
    }
    Some(match connective {
        Connective::And => booleans.iter().all(|value| *value),
        Connective::Or => booleans.iter().any(|value| *value),
    })
}

fn grow<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 1 << 20, work)
}
