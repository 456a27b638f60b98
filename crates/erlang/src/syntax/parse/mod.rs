//! Parsing of tokens to expressions: precedence climbing over OTP 25's operators. The expressions are those of
//! `erl_parse`, except records and macros, which have no definition in an expression and are refused by name.

mod compound;
mod data;

use super::ast::{
    Ast, MATCH_PRECEDENCE, Name, Node, Operator, Side, UNARY_PRECEDENCE, UnaryOperator, on_growing_stack,
};
use super::error::{Position, SyntaxError};
use super::scan::{Token, scan};

/// Parses expressions separated by commas, with or without a full stop at the end. Several become a `Block`.
pub fn parse_expression(text: &str) -> Result<Ast, SyntaxError> {
    let mut parser = Parser { tokens: scan(text)?, next: 0, in_pattern: false };
    let at = parser.at();
    let mut expressions = parser.expressions()?;
    if parser.peek() == &Token::Dot {
        parser.advance();
    }
    if parser.peek() != &Token::End {
        return parser.unexpected("an operator, ',' or the end");
    }
    match expressions.pop() {
        Some(only) if expressions.is_empty() => Ok(only),
        last => {
            expressions.extend(last);
            Ok(Ast::new(at, Node::Block(expressions)))
        }
    }
}

/// Parses expressions that each end with a full stop.
pub fn parse_expressions(text: &str) -> Result<Vec<Ast>, SyntaxError> {
    let mut parser = Parser { tokens: scan(text)?, next: 0, in_pattern: false };
    let mut expressions = Vec::new();
    while parser.peek() != &Token::End {
        expressions.push(parser.expression(0)?);
        if parser.peek() != &Token::Dot {
            return parser.unexpected("an operator or a full stop");
        }
        parser.advance();
    }
    Ok(expressions)
}

pub(super) struct Parser {
    tokens: Vec<(Position, Token)>,
    next: usize,
    /// Whether the parser is in the head of a fun or a handler, where `:` is a separator and there are no calls.
    in_pattern: bool,
}

type Parsed<T> = Result<T, SyntaxError>;

impl Parser {
    fn peek(&self) -> &Token {
        self.peek_ahead(0)
    }

    /// Returns the token at a distance; after the last one, there is only `End`.
    fn peek_ahead(&self, ahead: usize) -> &Token {
        self.tokens.get(self.next + ahead).map_or(&Token::End, |(_, token)| token)
    }

    fn at(&self) -> Position {
        let last = self.tokens.len() - 1;
        self.tokens[self.next.min(last)].0
    }

    fn advance(&mut self) {
        self.next += 1;
    }

    fn at_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Token::Symbol(found) if *found == symbol)
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        self.expect_or(symbol, &format!("'{symbol}'"))
    }

    /// Requires a symbol. `what` lists everything that is allowed here, for the error.
    fn expect_or(&mut self, symbol: &str, what: &str) -> Parsed<()> {
        if self.accept(symbol) { Ok(()) } else { self.unexpected(what) }
    }

    fn unexpected<T>(&self, expected: &str) -> Parsed<T> {
        Err(SyntaxError::new(self.at(), format!("expected {expected}, found {}", self.peek().describe())))
    }

    /// Parses one or more expressions, separated by commas.
    fn expressions(&mut self) -> Parsed<Vec<Ast>> {
        let mut expressions = vec![self.expression(0)?];
        while self.accept(",") {
            expressions.push(self.expression(0)?);
        }
        Ok(expressions)
    }

    fn boxed_expression(&mut self) -> Parsed<Box<Ast>> {
        Ok(Box::new(self.expression(0)?))
    }

    /// Parses an expression whose operators bind at least as tightly as `lowest`.
    fn expression(&mut self, lowest: u32) -> Parsed<Ast> {
        on_growing_stack(|| {
            let mut left = self.operand()?;
            loop {
                let at = self.at();
                if self.at_symbol("=") && MATCH_PRECEDENCE >= lowest {
                    self.advance();
                    let right = self.expression(MATCH_PRECEDENCE)?;
                    left = Ast::new(left.at, Node::Match(Box::new(left), Box::new(right)));
                    continue;
                }
                let Some(operator) = self.operator().filter(|operator| operator.precedence() >= lowest) else {
                    return Ok(left);
                };
                self.advance();
                let right = self.expression(match operator.side() {
                    Side::Right => operator.precedence(),
                    Side::Left | Side::Neither => operator.precedence() + 1,
                })?;
                left = Ast::new(at, Node::Operation(operator, Box::new(left), Box::new(right)));
                if operator.side() == Side::Neither
                    && self.operator().is_some_and(|next| next.precedence() == operator.precedence())
                {
                    return self.unexpected("no second comparison without parentheses");
                }
            }
        })
    }

    /// Parses a pattern where the grammar has separate patterns: in heads of funs and handlers of `try`.
    fn pattern(&mut self) -> Parsed<Ast> {
        self.with_pattern_mode(true, |parser| parser.expression(0))
    }

    fn with_pattern_mode<T>(&mut self, mode: bool, work: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        let before = std::mem::replace(&mut self.in_pattern, mode);
        let result = work(self);
        self.in_pattern = before;
        result
    }

    fn operator(&self) -> Option<Operator> {
        match self.peek() {
            Token::Symbol(symbol) => Operator::of_symbol(symbol).filter(|operator| {
                !self.in_pattern || !matches!(operator, Operator::Send | Operator::AndAlso | Operator::OrElse)
            }),
            _ => None,
        }
    }

    fn unary_operator(&self) -> Option<UnaryOperator> {
        match self.peek() {
            Token::Symbol(symbol) => UnaryOperator::ALL.into_iter().find(|operator| operator.symbol() == *symbol),
            _ => None,
        }
    }

    /// Parses an operand of binary operators: prefix operators, `catch`, calls, map updates.
    fn operand(&mut self) -> Parsed<Ast> {
        let at = self.at();
        if let Some(operator) = self.unary_operator() {
            self.advance();
            let operand = self.expression(UNARY_PRECEDENCE)?;
            return Ok(Ast::new(at, Node::Unary(operator, Box::new(operand))));
        }
        if !self.in_pattern && self.accept("catch") {
            return Ok(Ast::new(at, Node::Catch(self.boxed_expression()?)));
        }
        if self.at_symbol("#") {
            let map = self.map(None)?;
            return self.map_updates(map);
        }
        let primary = self.primary()?;
        if self.in_pattern {
            return Ok(primary);
        }
        if self.accept(":") {
            let function = self.primary()?;
            let remote = Ast::new(at, Node::Remote(Box::new(primary), Box::new(function)));
            return if self.at_symbol("(") { self.call(remote) } else { Ok(remote) };
        }
        if self.at_symbol("(") {
            return self.call(primary);
        }
        self.map_updates(primary)
    }

    fn call(&mut self, callee: Ast) -> Parsed<Ast> {
        self.expect("(")?;
        let at = callee.at;
        let arguments = self.until_closed(")", Parser::expressions)?;
        if self.at_symbol("(") {
            return self.unexpected("no second list of arguments: put the call in parentheses to apply its result");
        }
        Ok(Ast::new(at, Node::Call(Box::new(callee), arguments)))
    }

    fn map_updates(&mut self, mut base: Ast) -> Parsed<Ast> {
        while self.at_symbol("#") {
            base = self.map(Some(base))?;
        }
        Ok(base)
    }

    /// Parses items, if any, up to and including the closing symbol.
    fn until_closed<T>(
        &mut self,
        closing: &'static str,
        items: impl FnOnce(&mut Parser) -> Parsed<Vec<T>>,
    ) -> Parsed<Vec<T>> {
        if self.accept(closing) {
            return Ok(Vec::new());
        }
        let items = self.with_pattern_mode(false, items)?;
        self.expect_or(closing, &format!("',' or '{closing}'"))?;
        Ok(items)
    }

    /// Parses an expression that never needs parentheses: `erl_parse`'s `expr_max`.
    fn primary(&mut self) -> Parsed<Ast> {
        let at = self.at();
        let node = match self.peek().clone() {
            Token::Variable(name) => self.literal(Node::Variable(Name::from(name))),
            Token::Atom(atom) => self.literal(Node::Atom(atom)),
            Token::Integer(value) => self.literal(Node::Integer(value)),
            Token::Float(value) => self.literal(Node::Float(value)),
            Token::Character(value) => self.literal(Node::Character(value)),
            Token::String(mut text) => {
                self.advance();
                while let Token::String(more) = self.peek() {
                    text.push_str(more);
                    self.advance();
                }
                Node::String(text)
            }
            Token::Symbol("(") => {
                self.advance();
                let inner = self.expression(0)?;
                self.expect_or(")", "an operator or ')'")?;
                return Ok(inner);
            }
            Token::Symbol("[") => self.list()?,
            Token::Symbol("<<") => self.binary()?,
            Token::Symbol("{") => {
                self.advance();
                Node::Tuple(self.until_closed("}", Parser::expressions)?)
            }
            Token::Symbol("?") => {
                return Err(SyntaxError::new(at, "macros have no definition in an expression"));
            }
            Token::Symbol(symbol) if !self.in_pattern => self.compound(symbol)?,
            Token::Symbol(_) | Token::Dot | Token::End => {
                return self.unexpected(if self.in_pattern { "a pattern" } else { "an expression" });
            }
        };
        Ok(Ast::new(at, node))
    }

    fn literal(&mut self, node: Node) -> Node {
        self.advance();
        node
    }
}
