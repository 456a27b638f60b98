//! Lists, maps, binaries and comprehensions.

use super::{Parsed, Parser};
use crate::syntax::ast::{Ast, MapField, Node, Qualifier, Segment, Specifier};
use crate::syntax::error::SyntaxError;
use crate::syntax::scan::Token;

impl Parser {
    pub(super) fn list(&mut self) -> Parsed<Node> {
        self.with_pattern_mode(false, |parser| {
            parser.expect("[")?;
            if parser.accept("]") {
                return Ok(Node::List(Vec::new(), None));
            }
            let first = parser.expression(0)?;
            if parser.accept("||") {
                let qualifiers = parser.qualifiers()?;
                parser.expect_or("]", "',' or ']'")?;
                return Ok(Node::ListComprehension(Box::new(first), qualifiers));
            }
            let mut items = vec![first];
            while parser.accept(",") {
                items.push(parser.expression(0)?);
            }
            let tail = if parser.accept("|") { Some(parser.boxed_expression()?) } else { None };
            parser.expect_or("]", if tail.is_some() { "']'" } else { "',', '|' or ']'" })?;
            Ok(Node::List(items, tail))
        })
    }

    fn qualifiers(&mut self) -> Parsed<Vec<Qualifier>> {
        let mut qualifiers = vec![self.qualifier()?];
        while self.accept(",") {
            qualifiers.push(self.qualifier()?);
        }
        Ok(qualifiers)
    }

    fn qualifier(&mut self) -> Parsed<Qualifier> {
        let at = self.at();
        let pattern = self.expression(0)?;
        if self.accept("<-") {
            return Ok(Qualifier::List(pattern, self.expression(0)?));
        }
        if self.at_symbol("<=") {
            // A pattern in parentheses begins at another position, and is refused as by `erl_parse`.
            if !matches!(pattern.node, Node::Binary(_)) || pattern.at != at {
                return Err(SyntaxError::new(self.at(), "the pattern before '<=' must be a binary, as in <<X>> <= B"));
            }
            self.advance();
            return Ok(Qualifier::Bits(pattern, self.expression(0)?));
        }
        Ok(Qualifier::Filter(pattern))
    }

    /// Parses `#{…}`, or an update of `base`.
    pub(super) fn map(&mut self, base: Option<Ast>) -> Parsed<Ast> {
        let at = self.at();
        self.expect("#")?;
        if let Token::Atom(name) = self.peek() {
            let name = crate::syntax::print::print_atom(*name);
            return Err(SyntaxError::new(at, format!("the record {name} has no definition in an expression")));
        }
        self.expect("{")?;
        let fields = self.until_closed("}", |parser| {
            let mut fields = vec![parser.map_field()?];
            while parser.accept(",") {
                fields.push(parser.map_field()?);
            }
            Ok(fields)
        })?;
        Ok(Ast::new(at, Node::Map { base: base.map(Box::new), fields }))
    }

    fn map_field(&mut self) -> Parsed<MapField> {
        let key = self.expression(0)?;
        let exact = self.accept(":=");
        if !exact {
            self.expect_or("=>", "'=>' or ':='")?;
        }
        let value = self.expression(0)?;
        Ok(MapField { key, value, exact })
    }

    pub(super) fn binary(&mut self) -> Parsed<Node> {
        self.with_pattern_mode(false, |parser| {
            parser.expect("<<")?;
            if parser.accept(">>") {
                return Ok(Node::Binary(Vec::new()));
            }
            let is_template = parser.unary_operator().is_none();
            let first = parser.segment_value()?;
            if is_template && parser.accept("||") {
                let qualifiers = parser.qualifiers()?;
                parser.expect_or(">>", "',' or '>>'")?;
                return Ok(Node::BinaryComprehension(Box::new(first), qualifiers));
            }
            let mut segments = vec![parser.segment(first)?];
            while parser.accept(",") {
                let value = parser.segment_value()?;
                segments.push(parser.segment(value)?);
            }
            parser.expect_or(">>", "',', ':', '/' or '>>'")?;
            Ok(Node::Binary(segments))
        })
    }

    /// Parses a value that binds more tightly than any operator: expressions with operators need parentheses here.
    fn segment_value(&mut self) -> Parsed<Ast> {
        let at = self.at();
        match self.unary_operator() {
            Some(operator) => {
                self.advance();
                Ok(Ast::new(at, Node::Unary(operator, Box::new(self.primary()?))))
            }
            None => self.primary(),
        }
    }

    fn segment(&mut self, value: Ast) -> Parsed<Segment> {
        let size = if self.accept(":") { Some(self.primary()?) } else { None };
        let specifiers = if self.accept("/") { Some(self.specifiers()?) } else { None };
        Ok(Segment { at: value.at, value, size, specifiers })
    }

    fn specifiers(&mut self) -> Parsed<Vec<Specifier>> {
        let mut specifiers = Vec::new();
        loop {
            let at = self.at();
            let Token::Atom(name) = *self.peek() else {
                return self.unexpected("a type such as integer, binary, utf8, little, signed or unit:8");
            };
            self.advance();
            let argument = if self.accept(":") {
                match self.peek().clone() {
                    Token::Integer(value) => {
                        self.advance();
                        Some(value)
                    }
                    _ => return self.unexpected("an integer"),
                }
            } else {
                None
            };
            specifiers.push(Specifier { at, name, argument });
            if !self.accept("-") {
                return Ok(specifiers);
            }
        }
    }
}
