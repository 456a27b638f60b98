//! Expressions as they are written: what `erl_parse` calls the abstract format, without forms, records and macros.
//! Patterns are expressions here; lowering checks that they are patterns.

use super::error::Position;
use std::sync::Arc;
use term::{Atom, BigInt};

/// The name of a variable.
pub type Name = Arc<str>;

#[derive(Clone, Debug, PartialEq)]
pub struct Ast {
    pub at: Position,
    pub node: Node,
}

impl Ast {
    pub fn new(at: Position, node: Node) -> Ast {
        Ast { at, node }
    }

    /// Visits the expressions and patterns directly inside this one, in the order of the text.
    pub fn for_each_child(&self, visit: &mut dyn FnMut(&Ast)) {
        match &self.node {
            Node::Variable(_) | Node::Atom(_) | Node::Integer(_) | Node::Float(_) | Node::Character(_) => {}
            Node::String(_) | Node::LocalFun { .. } => {}
            Node::List(items, tail) => items.iter().chain(tail.as_deref()).for_each(visit),
            Node::Tuple(items) | Node::Block(items) => items.iter().for_each(visit),
            Node::Map { base, fields } => {
                let parts = fields.iter().flat_map(|field| [&field.key, &field.value]);
                base.as_deref().into_iter().chain(parts).for_each(visit);
            }
            Node::Binary(segments) => {
                segments.iter().flat_map(|part| std::iter::once(&part.value).chain(&part.size)).for_each(visit);
            }
            Node::ListComprehension(template, qualifiers) | Node::BinaryComprehension(template, qualifiers) => {
                visit(template);
                for qualifier in qualifiers {
                    match qualifier {
                        Qualifier::List(pattern, value) | Qualifier::Bits(pattern, value) => {
                            visit(pattern);
                            visit(value);
                        }
                        Qualifier::Filter(filter) => visit(filter),
                    }
                }
            }
            Node::If(clauses) | Node::Fun { name: _, clauses } => in_clauses(clauses, visit),
            Node::Case(subject, clauses) => {
                visit(subject);
                in_clauses(clauses, visit);
            }
            Node::Receive { clauses, after } => {
                in_clauses(clauses, visit);
                if let Some((time, body)) = after {
                    visit(time);
                    body.iter().for_each(visit);
                }
            }
            Node::Try { body, clauses, handlers, after } => {
                body.iter().for_each(&mut *visit);
                in_clauses(clauses, visit);
                for handler in handlers {
                    handler.class.iter().chain([&handler.reason]).chain(&handler.trace).for_each(&mut *visit);
                    handler.guard.iter().flatten().chain(&handler.body).for_each(&mut *visit);
                }
                after.iter().for_each(visit);
            }
            Node::Catch(operand) | Node::Unary(_, operand) => visit(operand),
            Node::RemoteFun { module, function, arity } => {
                [module, function, arity].into_iter().for_each(|part| visit(part))
            }
            Node::Call(callee, arguments) => std::iter::once(&**callee).chain(arguments).for_each(visit),
            Node::Remote(left, right) | Node::Match(left, right) | Node::Operation(_, left, right) => {
                visit(left);
                visit(right);
            }
        }
    }

    /// Returns the position of the first node that is more than `limit` levels deep.
    pub fn deeper_than(&self, limit: usize) -> Option<Position> {
        if limit == 0 {
            return Some(self.at);
        }
        let mut found = None;
        on_growing_stack(|| {
            self.for_each_child(&mut |child| {
                if found.is_none() {
                    found = child.deeper_than(limit - 1);
                }
            });
        });
        found
    }
}

fn in_clauses(clauses: &[Clause], visit: &mut dyn FnMut(&Ast)) {
    for clause in clauses {
        clause.patterns.iter().chain(clause.guard.iter().flatten()).chain(&clause.body).for_each(&mut *visit);
    }
}

/// Drops the tree on a growing stack: source may be nested arbitrarily deeply.
impl Drop for Ast {
    fn drop(&mut self) {
        let node = std::mem::replace(&mut self.node, Node::Tuple(Vec::new()));
        on_growing_stack(|| drop(node));
    }
}

/// Runs `work`, which recurses along the source, on more stack if little is left.
pub fn on_growing_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 << 10, 4 << 20, work)
}

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Variable(Name),
    Atom(Atom),
    Integer(BigInt),
    Float(f64),
    Character(char),
    /// Adjacent literals are joined.
    String(String),
    /// `[a, b | tail]`; no items and no tail is `[]`.
    List(Vec<Ast>, Option<Box<Ast>>),
    Tuple(Vec<Ast>),
    Map {
        base: Option<Box<Ast>>,
        fields: Vec<MapField>,
    },
    Binary(Vec<Segment>),
    ListComprehension(Box<Ast>, Vec<Qualifier>),
    BinaryComprehension(Box<Ast>, Vec<Qualifier>),
    /// `begin … end`, and a whole text of several expressions.
    Block(Vec<Ast>),
    If(Vec<Clause>),
    Case(Box<Ast>, Vec<Clause>),
    Receive {
        clauses: Vec<Clause>,
        after: Option<(Box<Ast>, Vec<Ast>)>,
    },
    Try {
        body: Vec<Ast>,
        clauses: Vec<Clause>,
        handlers: Vec<Handler>,
        after: Vec<Ast>,
    },
    Catch(Box<Ast>),
    Fun {
        name: Option<Name>,
        clauses: Vec<Clause>,
    },
    /// `fun f/1`
    LocalFun {
        name: Atom,
        arity: u32,
    },
    /// `fun m:f/1`, each part an atom (an integer) or a variable.
    RemoteFun {
        module: Box<Ast>,
        function: Box<Ast>,
        arity: Box<Ast>,
    },
    /// The callee is an expression: an atom is a local function's name, `Remote` a function of a
    /// module, anything else a value.
    Call(Box<Ast>, Vec<Ast>),
    Remote(Box<Ast>, Box<Ast>),
    Match(Box<Ast>, Box<Ast>),
    Unary(UnaryOperator, Box<Ast>),
    Operation(Operator, Box<Ast>, Box<Ast>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct MapField {
    pub key: Ast,
    pub value: Ast,
    /// `:=` rather than `=>`.
    pub exact: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    pub at: Position,
    pub value: Ast,
    pub size: Option<Ast>,
    /// As written; `None` if there is no `/` at all.
    pub specifiers: Option<Vec<Specifier>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specifier {
    pub at: Position,
    pub name: Atom,
    /// `unit:8`
    pub argument: Option<BigInt>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Qualifier {
    /// `Pattern <- List`
    List(Ast, Ast),
    /// `Pattern <= Bitstring`
    Bits(Ast, Ast),
    Filter(Ast),
}

/// The alternatives of a guard; each holds if all of its tests do. A guard without alternatives is always true.
pub type Guard = Vec<Vec<Ast>>;

/// A clause, with one pattern per parameter in a fun, one pattern in `case` and `receive`, and none in `if`.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    pub at: Position,
    pub patterns: Vec<Ast>,
    pub guard: Guard,
    pub body: Vec<Ast>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    pub at: Position,
    /// An atom or a variable; `None` is `throw`.
    pub class: Option<Ast>,
    pub reason: Ast,
    pub trace: Option<Ast>,
    pub guard: Guard,
    pub body: Vec<Ast>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    Plus,
    Minus,
    BitNot,
    Not,
}

impl UnaryOperator {
    pub const ALL: [UnaryOperator; 4] =
        [UnaryOperator::Plus, UnaryOperator::Minus, UnaryOperator::BitNot, UnaryOperator::Not];

    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOperator::Plus => "+",
            UnaryOperator::Minus => "-",
            UnaryOperator::BitNot => "bnot",
            UnaryOperator::Not => "not",
        }
    }
}

/// The associativity of operators with equal precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
    Neither,
}

macro_rules! operators {
    ($($name:ident $symbol:literal $precedence:literal $side:ident,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operator { $($name,)* }

        impl Operator {
            pub const ALL: &[Operator] = &[$(Operator::$name,)*];

            pub fn symbol(self) -> &'static str {
                match self { $(Operator::$name => $symbol,)* }
            }

            /// Returns the precedence. Higher binds more tightly; `=`, which is no operator here, has 100.
            pub fn precedence(self) -> u32 {
                match self { $(Operator::$name => $precedence,)* }
            }

            pub fn side(self) -> Side {
                match self { $(Operator::$name => Side::$side,)* }
            }

            pub fn of_symbol(symbol: &str) -> Option<Operator> {
                match symbol { $($symbol => Some(Operator::$name),)* _ => None }
            }
        }
    };
}

operators! {
    Send "!" 100 Right,
    OrElse "orelse" 150 Right,
    AndAlso "andalso" 160 Right,
    Equal "==" 200 Neither,
    NotEqual "/=" 200 Neither,
    AtMost "=<" 200 Neither,
    Less "<" 200 Neither,
    AtLeast ">=" 200 Neither,
    Greater ">" 200 Neither,
    Same "=:=" 200 Neither,
    Different "=/=" 200 Neither,
    Append "++" 300 Right,
    Subtract "--" 300 Right,
    Add "+" 400 Left,
    Minus "-" 400 Left,
    BitOr "bor" 400 Left,
    BitXor "bxor" 400 Left,
    ShiftLeft "bsl" 400 Left,
    ShiftRight "bsr" 400 Left,
    Or "or" 400 Left,
    Xor "xor" 400 Left,
    Divide "/" 500 Left,
    Multiply "*" 500 Left,
    Quotient "div" 500 Left,
    Remainder "rem" 500 Left,
    BitAnd "band" 500 Left,
    And "and" 500 Left,
}

pub const MATCH_PRECEDENCE: u32 = 100;
pub const UNARY_PRECEDENCE: u32 = 600;
