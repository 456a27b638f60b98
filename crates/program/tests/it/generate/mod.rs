//! Random modules that make sense. All choices are read from a list of numbers, so that proptest can
//! shrink the list; when it is used up every choice is the first, which is always a leaf.

mod data;

use program::{
    Binding, BitKind, BitPattern, BitSegment, BitSize, Body, Callee, Clause, Endian, Expr, Function, FunctionId,
    MapPair, Module, Origin, Pattern, RecordDef, Span, Types, Var,
};
use term::Atom;

pub fn module(choices: &[u64]) -> Module {
    let mut generator = Generator { choices: choices.iter(), shapes: Vec::new(), next_var: 0, visible: Vec::new() };
    let count = 1 + generator.below(4) as u32;
    generator.shapes = (0..count)
        .map(|_| Shape { arity: generator.below(3) as u32, captures: generator.below(8).saturating_sub(5) as u32 })
        .collect();
    let functions = (0..count).map(|index| generator.function(index)).collect();
    let attributes = generator.some(2, |g| (g.atom(), g.term(3)));
    let specs = generator.some(2, Generator::spec);
    let callbacks = generator.some(2, Generator::spec);
    let definitions = generator.some(2, Generator::definition);
    let files = vec!["one.erl".to_string(), "a \"b\"\n\\.hrl".to_string()];
    let records = generator.some(2, |g| RecordDef {
        name: g.atom(),
        fields: g.some(3, |g| (g.atom(), if g.chance() { Some(g.term(2)) } else { None })),
    });
    Module::new(generator.atom(), files, functions, attributes, Types { specs, callbacks, definitions, records })
}

struct Generator<'a> {
    choices: std::slice::Iter<'a, u64>,
    shapes: Vec<Shape>,
    next_var: u32,
    visible: Vec<Var>,
}

#[derive(Clone, Copy)]
struct Shape {
    arity: u32,
    captures: u32,
}

#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    values: usize,
    in_guard: bool,
}

impl Place {
    fn one(self) -> Place {
        Place { depth: self.depth.saturating_sub(1), values: 1, ..self }
    }

    fn inner(self) -> Place {
        Place { depth: self.depth.saturating_sub(1), ..self }
    }

    fn guard(self) -> Place {
        Place { in_guard: true, ..self.one() }
    }
}

impl Generator<'_> {
    fn below(&mut self, limit: usize) -> usize {
        (self.choices.next().copied().unwrap_or(0) % limit.max(1) as u64) as usize
    }

    fn chance(&mut self) -> bool {
        self.below(2) == 1
    }

    fn some<T>(&mut self, limit: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(limit + 1)).map(|_| make(self)).collect()
    }

    fn function(&mut self, index: u32) -> Function {
        let Shape { arity, captures } = self.shapes[index as usize];
        self.next_var = arity + captures;
        self.visible = (0..arity + captures).map(Var).collect();
        let origin = match self.below(4) {
            0 => Origin::Named,
            1 => Origin::Lambda { index, unique: self.below(1 << 27) as u32 },
            2 => Origin::Lifted,
            _ => Origin::Join { of: FunctionId(self.below(self.shapes.len()) as u32) },
        };
        let exported = captures == 0 && self.chance();
        let name = Atom::new(&format!("{} {index}", self.atom()));
        let span = self.span();
        let depth = self.below(7);
        let body = Body::new(self.expr(Place { depth, values: 1, in_guard: false }));
        Function { name, arity, captures, exported, origin, span, body }
    }

    fn expr(&mut self, place: Place) -> Expr {
        if place.depth == 0 {
            return self.leaf(place);
        }
        match self.below(14) {
            0 => self.leaf(place),
            1 | 2 => self.let_(place),
            3 | 4 => self.case(place),
            5 => self.try_(place),
            // The rest delivers one value.
            _ if place.values != 1 => self.leaf(place),
            6 => Expr::Cons(Box::new(self.expr(place.one())), Box::new(self.expr(place.one()))),
            7 => Expr::Tuple(self.some(3, |g| g.expr(place.one()))),
            8 => Expr::Map {
                base: Box::new(self.expr(place.one())),
                pairs: self.some(2, |g| MapPair {
                    key: g.expr(place.one()),
                    value: g.expr(place.one()),
                    exact: g.chance(),
                }),
                span: self.span(),
            },
            9 => Expr::Bits { segments: self.some(3, |g| g.segment(place)), span: self.span() },
            10 if !place.in_guard => self.closure().unwrap_or_else(|| self.leaf(place)),
            11 | 12 => self.call(place),
            _ => Expr::Guard(Box::new(self.expr(place.guard()))),
        }
    }

    fn leaf(&mut self, place: Place) -> Expr {
        if place.values != 1 {
            return Expr::Values((0..place.values).map(|_| self.expr(place.one())).collect());
        }
        match self.visible.len() {
            1.. if self.below(3) > 0 => Expr::Var(self.seen()),
            _ => Expr::Const(self.term(2)),
        }
    }

    fn let_(&mut self, place: Place) -> Expr {
        let outer = self.visible.len();
        let bindings = self.some(3, |g| {
            let width = if g.chance() { 1 } else { g.below(3) };
            let value = g.expr(Place { values: width, ..place.inner() });
            let vars: Vec<Var> = (0..width).map(|_| g.fresh()).collect();
            g.visible.extend(&vars);
            Binding { vars, value }
        });
        let body = Box::new(self.expr(place.inner()));
        self.visible.truncate(outer);
        Expr::Let { bindings, body }
    }

    fn case(&mut self, place: Place) -> Expr {
        let width = self.below(3);
        let subjects = if self.chance() && width != 1 {
            vec![self.expr(Place { values: width, ..place.inner() })]
        } else {
            (0..width).map(|_| self.expr(place.one())).collect()
        };
        let first_var = self.next_var;
        let clauses = (0..1 + self.below(3))
            .map(|_| {
                // Clauses may bind the same variables again.
                let highest = self.next_var;
                if self.chance() {
                    self.next_var = first_var;
                }
                let clause = self.clause(place, width);
                self.next_var = self.next_var.max(highest);
                clause
            })
            .collect();
        Expr::Case { subjects, clauses, span: self.span() }
    }

    fn clause(&mut self, place: Place, width: usize) -> Clause {
        let outer = self.visible.len();
        let mut bound = Vec::new();
        let patterns = (0..width).map(|_| self.pattern(place.depth.min(3), &mut bound)).collect();
        self.visible.extend(bound);
        let guard = self.chance().then(|| self.expr(place.guard()));
        let body = self.expr(place.inner());
        self.visible.truncate(outer);
        Clause { patterns, guard, body, span: self.span() }
    }

    fn try_(&mut self, place: Place) -> Expr {
        let width = self.below(3);
        let body = Box::new(self.expr(Place { values: width, ..place.inner() }));
        let outer = self.visible.len();
        let ok_vars: Vec<Var> = (0..width).map(|_| self.fresh()).collect();
        self.visible.extend(&ok_vars);
        let ok = Box::new(self.expr(place.inner()));
        self.visible.truncate(outer);
        let handler_vars = [(); 3].map(|()| self.fresh());
        self.visible.extend(&handler_vars);
        let handler = Box::new(self.expr(place.inner()));
        self.visible.truncate(outer);
        Expr::Try { body, ok_vars, ok, handler_vars, handler }
    }

    fn closure(&mut self) -> Option<Expr> {
        let index = self.below(self.shapes.len());
        let captures = self.shapes[index].captures;
        if captures > 0 && self.visible.is_empty() {
            return None;
        }
        let captures = (0..captures).map(|_| self.seen()).collect();
        Some(Expr::Closure { function: FunctionId(index as u32), captures })
    }

    fn call(&mut self, place: Place) -> Expr {
        let mut args = self.some(3, |g| g.expr(place.one()));
        let callee = match self.below(if place.in_guard { 2 } else { 5 }) {
            0 => Callee::Primitive(self.atom()),
            1 => Callee::Remote { module: self.atom(), function: self.atom() },
            2 => Callee::Value(Box::new(self.expr(place.one()))),
            3 => {
                Callee::Dynamic { module: Box::new(self.expr(place.one())), function: Box::new(self.expr(place.one())) }
            }
            _ => {
                let index = self.below(self.shapes.len());
                let shape = self.shapes[index];
                args = (0..shape.arity + shape.captures).map(|_| self.leaf(place.one())).collect();
                Callee::Local(FunctionId(index as u32))
            }
        };
        Expr::Call { callee, args, span: self.span() }
    }

    fn pattern(&mut self, depth: usize, bound: &mut Vec<Var>) -> Pattern {
        match self.below(if depth == 0 { 3 } else { 8 }) {
            0 => Pattern::Any,
            1 => Pattern::Const(self.term(2)),
            2 => Pattern::Var(self.bind(bound)),
            3 => Pattern::Alias(self.bind(bound), Box::new(self.pattern(depth - 1, bound))),
            4 => Pattern::Cons(Box::new(self.pattern(depth - 1, bound)), Box::new(self.pattern(depth - 1, bound))),
            5 => Pattern::Tuple(self.some(3, |g| g.pattern(depth - 1, bound))),
            6 => Pattern::Map(self.some(2, |g| {
                let place = Place { depth: 0, values: 1, in_guard: true };
                (g.leaf(place), g.pattern(depth - 1, bound))
            })),
            _ => self.bit_pattern(bound),
        }
    }

    fn bit_pattern(&mut self, bound: &mut Vec<Var>) -> Pattern {
        let outer = self.visible.len();
        let count = self.below(4);
        let segments = (0..count)
            .map(|index| {
                let place = Place { depth: 2, values: 1, in_guard: true };
                let (kind, size) = self.kind_and_size(place, index + 1 == count);
                let value = match self.below(3) {
                    0 => Pattern::Any,
                    1 => Pattern::Const(self.term(1)),
                    _ => {
                        let var = self.bind(bound);
                        self.visible.push(var);
                        Pattern::Var(var)
                    }
                };
                let (unit, signed, endian) = (self.unit(), self.chance(), self.endian());
                BitPattern { value, size, unit, kind, signed, endian }
            })
            .collect();
        self.visible.truncate(outer);
        Pattern::Bits(segments)
    }

    fn segment(&mut self, place: Place) -> BitSegment {
        let value = self.expr(place.one());
        let (kind, size) = self.kind_and_size(place.one(), true);
        BitSegment { value, size, unit: self.unit(), kind, signed: self.chance(), endian: self.endian() }
    }

    fn kind_and_size(&mut self, place: Place, last: bool) -> (BitKind, BitSize) {
        match self.below(7) {
            0 => (BitKind::Integer, BitSize::Times(self.expr(place.one()))),
            1 => (BitKind::Float, BitSize::Times(self.expr(place.one()))),
            2 => (BitKind::Utf8, BitSize::Encoded),
            3 => (BitKind::Utf16, BitSize::Encoded),
            4 => (BitKind::Utf32, BitSize::Encoded),
            5 if last => (BitKind::Bits, BitSize::All),
            _ => (BitKind::Bits, BitSize::Times(self.expr(place.one()))),
        }
    }

    fn unit(&mut self) -> u16 {
        1 + self.below(256) as u16
    }

    fn endian(&mut self) -> Endian {
        [Endian::Big, Endian::Little, Endian::Native][self.below(3)]
    }

    fn span(&mut self) -> Span {
        match self.below(3) {
            0 => Span::default(),
            1 => Span { file: 0, line: 1 + self.below(1 << 20) as u32, column: self.below(1 << 16) as u16 },
            _ => Span { file: 1, line: 1 + self.below(100) as u32, column: 0 },
        }
    }

    fn seen(&mut self) -> Var {
        let index = self.below(self.visible.len());
        self.visible[index]
    }

    fn fresh(&mut self) -> Var {
        self.next_var += 1;
        Var(self.next_var - 1)
    }

    fn bind(&mut self, bound: &mut Vec<Var>) -> Var {
        let var = self.fresh();
        bound.push(var);
        var
    }
}
