//! Reading of terms, types and specs.

use super::cursor::plain_number;
use super::{Children, RED_ZONE, Reader, STACK_PIECE};
use crate::text::print::is_bare;
use crate::text::tree::Kind;
use crate::{BitType, FunType, MapField, RecordDef, Spec, SpecClause, Type, TypeDef};
use std::sync::Arc;
use term::{Atom, BigInt, Bits, Fun, Term};

impl Reader<'_> {
    pub(super) fn term(&mut self, node: usize) -> Term {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || match self.tree.nodes[node].kind {
            Kind::Word => self.word_term(node),
            Kind::Quoted => Term::Atom(self.atom(node)),
            Kind::Text => {
                self.mistake(node, "a term has no strings: write a list or a bitstring");
                Term::Nil
            }
            Kind::List => {
                let mut children = self.children(node);
                let mut items = Vec::new();
                while let Some(child) = self.optional(&mut children) {
                    if self.is_word(child, "|") {
                        let tail = self.next_term(&mut children);
                        self.no_more(children);
                        return self.improper(node, items, tail);
                    }
                    items.push(self.term(child));
                }
                Term::list(items)
            }
            Kind::Tuple => Term::tuple(self.terms(node)),
            Kind::Map => {
                let mut terms = self.terms(node).into_iter();
                let mut pairs = Vec::with_capacity(terms.len() / 2);
                while let Some(key) = terms.next() {
                    match terms.next() {
                        Some(value) => pairs.push((key, value)),
                        None => self.mistake(node, "the last key of this map has no value"),
                    }
                }
                Term::Map(pairs.into())
            }
            Kind::Form => self.term_form(node),
        })
    }

    fn improper(&mut self, node: usize, items: Vec<Term>, tail: Term) -> Term {
        if items.is_empty() {
            self.mistake(node, "nothing stands before the `|`");
        }
        Term::list_with_tail(items, tail)
    }

    fn terms(&mut self, node: usize) -> Vec<Term> {
        let mut children = self.children(node);
        std::iter::from_fn(|| self.optional(&mut children).map(|child| self.term(child))).collect()
    }

    fn word_term(&mut self, node: usize) -> Term {
        let word = self.tree.text(node);
        let number = word.strip_prefix('-').unwrap_or(word);
        if number.starts_with(|c: char| c.is_ascii_digit()) {
            if number.bytes().all(|byte| byte.is_ascii_digit()) {
                if let Some(value) = BigInt::parse_bytes(word.as_bytes(), 10) {
                    return Term::integer(value);
                }
            } else if let Some(value) = word.parse().ok().filter(|value: &f64| value.is_finite()) {
                return Term::Float(value);
            }
            self.mistake(node, "this is no number");
            return Term::Nil;
        }
        match word.strip_prefix("<<").and_then(|word| word.strip_suffix(">>")) {
            Some(bits) => bitstring(bits).map(Term::Bits).unwrap_or_else(|| {
                self.mistake(node, "a bitstring is <<hexadecimal digits:number of bits>>");
                Term::Nil
            }),
            None => Term::Atom(self.atom(node)),
        }
    }

    fn term_form(&mut self, node: usize) -> Term {
        let (head, mut children) = self.form(node);
        let term = match head {
            "float" => {
                let word = self.next(&mut children, "16 hexadecimal digits").and_then(|child| self.word(child));
                let bits = word.filter(|word| word.len() == 16).and_then(|word| u64::from_str_radix(word, 16).ok());
                if bits.is_none() {
                    self.mistake(node, "expected (float 16-HEXADECIMAL-DIGITS)");
                }
                Term::Float(f64::from_bits(bits.unwrap_or_default()))
            }
            "external" => {
                let (module, function) = (self.next_atom(&mut children), self.next_atom(&mut children));
                Term::Fun(Arc::new(Fun::External { module, function, arity: self.next_number(&mut children) }))
            }
            "local" => {
                let module = self.next_atom(&mut children);
                let [index, unique, arity] = [(); 3].map(|()| self.next_number(&mut children));
                Term::Fun(Arc::new(Fun::Local { module, index, unique, arity }))
            }
            "input" => {
                let [arity, number] = [(); 2].map(|()| self.next_number(&mut children));
                Term::Fun(Arc::new(Fun::Input { arity, number }))
            }
            "pid" => Term::Pid(self.next_number(&mut children)),
            "reference" => Term::Reference(self.next_number(&mut children)),
            "port" => Term::Port(self.next_number(&mut children)),
            _ => {
                self.mistake(node, &format!("unknown form ({head} …)"));
                return Term::Nil;
            }
        };
        self.no_more(children);
        term
    }

    pub(super) fn atom(&mut self, node: usize) -> Atom {
        let text = self.tree.text(node);
        match self.tree.nodes[node].kind {
            Kind::Quoted => {}
            Kind::Word if is_bare(text) => {}
            Kind::Word => self.mistake(node, "this is no atom without quotes"),
            Kind::Text | Kind::Form | Kind::List | Kind::Tuple | Kind::Map => self.mistake(node, "expected an atom"),
        }
        Atom::try_new(text).unwrap_or_else(|_| {
            self.mistake(node, "there are too many atoms");
            Atom::new("")
        })
    }

    pub(super) fn definition(&mut self, children: &mut Children) -> TypeDef {
        let name = self.next_atom(children);
        let mut inner = self.next_group(children);
        let mut params = Vec::new();
        while self.peek(inner).is_some() {
            params.push(self.next_atom(&mut inner));
        }
        let body = self.next_type(children);
        let (mut opaque, mut exported) = (false, false);
        while let Some(flag) = self.optional(children) {
            match self.word(flag) {
                Some("opaque") => opaque = true,
                Some("exported") => exported = true,
                _ => self.mistake(flag, "expected opaque or exported"),
            }
        }
        TypeDef { name, params, body, opaque, exported }
    }

    pub(super) fn record(&mut self, children: &mut Children) -> RecordDef {
        let name = self.next_atom(children);
        let mut fields = Vec::new();
        while let Some(child) = self.optional(children) {
            let mut inner = self.form_headed(child, "field");
            let field = self.next_atom(&mut inner);
            let default = self.peek(inner).is_some().then(|| self.next_term(&mut inner));
            self.no_more(inner);
            fields.push((field, default));
        }
        RecordDef { name, fields }
    }

    pub(super) fn spec(&mut self, children: &mut Children) -> Spec {
        let name = self.next_atom(children);
        let arity = self.next_number(children);
        let mut clauses = Vec::new();
        while let Some(child) = self.optional(children) {
            let mut inner = self.form_headed(child, "clause");
            let mut params = self.next_group(&mut inner);
            let params = self.rest_types(&mut params);
            let result = self.next_type(&mut inner);
            let mut bounds = Vec::new();
            while let Some(child) = self.optional(&mut inner) {
                let mut inner = self.form_headed(child, "bound");
                bounds.push((self.next_atom(&mut inner), self.next_type(&mut inner)));
                self.no_more(inner);
            }
            clauses.push(SpecClause { params, result, bounds });
        }
        Spec { name, arity, clauses }
    }

    pub(super) fn type_(&mut self, node: usize) -> Type {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || match self.word(node) {
            Some(word) => plain_type(word).unwrap_or_else(|| {
                self.mistake(node, "unknown type; the type of one term is (is TERM)");
                Type::Any
            }),
            None => self.type_form(node),
        })
    }

    fn type_form(&mut self, node: usize) -> Type {
        let (head, mut children) = self.form(node);
        let children = &mut children;
        let type_ = match head {
            "is" => Type::Literal(self.next_term(children)),
            "integer" => Type::Integer { low: self.bound(children), high: self.bound(children) },
            "list" | "nonempty" => Type::List {
                element: Box::new(self.next_type(children)),
                tail: Box::new(self.next_type(children)),
                nonempty: head == "nonempty",
            },
            "tuple" => Type::Tuple(self.rest_types(children)),
            "map" => {
                let mut fields = Vec::new();
                while let Some(child) = self.optional(children) {
                    fields.push(self.map_field(child));
                }
                Type::Map(fields)
            }
            "bits" => Type::Bits(BitType { base: self.next_number(children), unit: self.next_number(children) }),
            "fun" => {
                let params = match self.peek(*children) {
                    Some(child) if self.is_word(child, "_") => {
                        self.optional(children);
                        None
                    }
                    Some(_) | None => {
                        let mut inner = self.next_group(children);
                        Some(self.rest_types(&mut inner))
                    }
                };
                Type::Fun(Box::new(FunType { params, result: self.next_type(children) }))
            }
            "union" => Type::Union(self.rest_types(children)),
            "named" | "remote" => {
                let module = (head == "remote").then(|| self.next_atom(children));
                Type::Named { module, name: self.next_atom(children), args: self.rest_types(children) }
            }
            "var" => Type::Var(self.next_atom(children)),
            _ => {
                self.mistake(node, &format!("unknown type ({head} …)"));
                return Type::Any;
            }
        };
        self.no_more(*children);
        type_
    }

    fn map_field(&mut self, node: usize) -> MapField {
        let (head, mut children) = self.form(node);
        if !matches!(head, "required" | "optional") {
            self.mistake(node, "expected (required KEY VALUE) or (optional KEY VALUE)");
        }
        let (key, value) = (self.next_type(&mut children), self.next_type(&mut children));
        self.no_more(children);
        MapField { key, value, required: head == "required" }
    }

    fn bound(&mut self, children: &mut Children) -> Option<BigInt> {
        let node = self.next(children, "a bound")?;
        if self.is_word(node, "_") {
            return None;
        }
        let number = self.word(node).and_then(|word| BigInt::parse_bytes(word.as_bytes(), 10));
        if number.is_none() {
            self.mistake(node, "expected an integer or _");
        }
        number
    }
}

fn plain_type(word: &str) -> Option<Type> {
    Some(match word {
        "any" => Type::Any,
        "none" => Type::None,
        "atom" => Type::Atom,
        "integer" => Type::integer(),
        "float" => Type::Float,
        "tuple" => Type::AnyTuple,
        "map" => Type::AnyMap,
        "fun" => Type::AnyFun,
        "pid" => Type::Pid,
        "port" => Type::Port,
        "reference" => Type::Reference,
        _ => return None,
    })
}

fn bitstring(text: &str) -> Option<Bits> {
    let (digits, length) = text.split_once(':')?;
    let length: usize = plain_number(length)?;
    if !digits.is_ascii() || !digits.len().is_multiple_of(2) || length.div_ceil(8) != digits.len() / 2 {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    let bytes = (0..digits.len()).step_by(2).map(byte).collect::<Option<Vec<u8>>>()?;
    Some(Bits::new(bytes, length))
}
