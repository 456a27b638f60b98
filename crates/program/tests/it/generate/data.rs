//! Random terms, types and specs.

use super::Generator;
use program::{BitType, FunType, MapField, Spec, SpecClause, Type, TypeDef};
use std::sync::Arc;
use term::{Atom, BigInt, Bits, Fun, Term};

const ATOMS: &[&str] = &[
    "ok", "v1", "f0", "v", "x'y", "", "Upper", "ö", "a b", "+", "<<", "=:=", "-1", "1", "_", "|", "@1:2", "#{", "\\",
    "\u{7f}\u{0}\n", "\"", ";", "any", "exported", "let", "inf", "nan", "1e5", "\u{2028}", "a@b.c-d",
];

impl Generator<'_> {
    pub(super) fn atom(&mut self) -> Atom {
        Atom::new(ATOMS[self.below(ATOMS.len())])
    }

    pub(super) fn term(&mut self, depth: usize) -> Term {
        let inner = depth.saturating_sub(1);
        match self.below(if depth == 0 { 10 } else { 14 }) {
            0 => Term::Nil,
            1 => Term::Int(self.below(100) as i64),
            2 => Term::Int(self.below(usize::MAX) as i64),
            3 => Term::integer(self.big()),
            4 => Term::Float(f64::from_bits(self.below(usize::MAX) as u64)),
            5 => Term::Float([0.0, -0.0, 1.0, 1e16, 1e-7, -1.5e300, f64::INFINITY][self.below(7)]),
            6 => Term::Atom(self.atom()),
            7 => {
                let bytes = self.some(5, |g| g.below(256) as u8);
                let length = (bytes.len() * 8).saturating_sub(self.below(8));
                Term::Bits(Bits::new(bytes, length))
            }
            8 => Term::Fun(Arc::new(self.fun())),
            9 => {
                let number = self.below(usize::MAX) as u64;
                [Term::Pid, Term::Reference, Term::Port][self.below(3)](number)
            }
            10 => Term::list(self.some(4, |g| g.term(inner))),
            11 => {
                let items = self.some(3, |g| g.term(inner));
                Term::list_with_tail(items, self.term(inner))
            }
            12 => Term::tuple(self.some(4, |g| g.term(inner))),
            _ => Term::Map(self.some(3, |g| (g.term(inner), g.term(inner))).into()),
        }
    }

    fn fun(&mut self) -> Fun {
        let (module, arity) = (self.atom(), self.below(256) as u32);
        match self.chance() {
            true => Fun::External { module, function: self.atom(), arity },
            false => Fun::Local { module, index: self.below(99) as u32, unique: self.below(1 << 30) as u32, arity },
        }
    }

    fn big(&mut self) -> BigInt {
        BigInt::from(self.below(usize::MAX) as i64) * BigInt::from(self.below(usize::MAX))
    }

    pub(super) fn definition(&mut self) -> TypeDef {
        TypeDef {
            name: self.atom(),
            params: self.some(2, Generator::atom),
            body: self.type_(3),
            opaque: self.chance(),
            exported: self.chance(),
        }
    }

    pub(super) fn spec(&mut self) -> Spec {
        let arity = self.below(3) as u32;
        let clauses = self.some(2, |g| SpecClause {
            params: (0..arity).map(|_| g.type_(3)).collect(),
            result: g.type_(3),
            bounds: g.some(2, |g| (g.atom(), g.type_(2))),
        });
        Spec { name: self.atom(), arity, clauses }
    }

    fn type_(&mut self, depth: usize) -> Type {
        let inner = depth.saturating_sub(1);
        match self.below(if depth == 0 { 15 } else { 22 }) {
            0 => Type::Any,
            1 => Type::None,
            2 => Type::Atom,
            3 => Type::Float,
            4 => Type::AnyTuple,
            5 => Type::AnyMap,
            6 => Type::AnyFun,
            7 => Type::Pid,
            8 => Type::Port,
            9 => Type::Reference,
            10 => Type::Literal(self.term(1)),
            11 | 12 => {
                let low = self.chance().then(|| self.big());
                Type::Integer { low, high: self.chance().then(|| self.big()) }
            }
            13 => Type::Bits(BitType { base: self.below(64) as u64, unit: self.below(64) as u64 }),
            14 => Type::Var(self.atom()),
            15 => Type::List {
                element: Box::new(self.type_(inner)),
                tail: Box::new(self.type_(inner)),
                nonempty: self.chance(),
            },
            16 => Type::Tuple(self.some(3, |g| g.type_(inner))),
            17 => Type::Map(self.some(3, |g| MapField {
                key: g.type_(inner),
                value: g.type_(inner),
                required: g.chance(),
            })),
            18 => Type::Fun(Box::new(FunType {
                params: self.chance().then(|| self.some(2, |g| g.type_(inner))),
                result: self.type_(inner),
            })),
            19 => Type::Union(self.some(3, |g| g.type_(inner))),
            _ => Type::Named {
                module: self.chance().then(|| self.atom()),
                name: self.atom(),
                args: self.some(2, |g| g.type_(inner)),
            },
        }
    }
}
