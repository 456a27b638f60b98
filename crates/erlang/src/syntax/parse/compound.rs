//! Expressions that begin with a reserved word and end with `end`, and funs.

use super::{Parsed, Parser};
use crate::syntax::ast::{Ast, Clause, Guard, Handler, Name, Node};
use crate::syntax::error::SyntaxError;
use crate::syntax::scan::Token;

const LARGEST_ARITY: u32 = 255;

impl Parser {
    pub(super) fn compound(&mut self, symbol: &str) -> Parsed<Node> {
        match symbol {
            "begin" => {
                self.advance();
                let body = self.expressions()?;
                self.expect_or("end", "',' or 'end'")?;
                Ok(Node::Block(body))
            }
            "if" => {
                self.advance();
                Ok(Node::If(self.clauses_until_end(Parser::if_clause)?))
            }
            "case" => {
                self.advance();
                let subject = self.boxed_expression()?;
                self.expect_or("of", "an operator or 'of'")?;
                Ok(Node::Case(subject, self.clauses_until_end(Parser::case_clause)?))
            }
            "receive" => self.receive(),
            "try" => self.try_expression(),
            "fun" => self.fun(),
            _ => self.unexpected("an expression"),
        }
    }

    fn clauses<T>(&mut self, mut clause: impl FnMut(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut clauses = vec![clause(self)?];
        while self.accept(";") {
            clauses.push(clause(self)?);
        }
        Ok(clauses)
    }

    fn clauses_until_end<T>(&mut self, clause: impl FnMut(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        let clauses = self.clauses(clause)?;
        self.expect_or("end", "',', ';' or 'end'")?;
        Ok(clauses)
    }

    fn if_clause(&mut self) -> Parsed<Clause> {
        let at = self.at();
        let guard = self.guard_alternatives()?;
        Ok(Clause { at, patterns: Vec::new(), guard, body: self.clause_body()? })
    }

    fn case_clause(&mut self) -> Parsed<Clause> {
        let at = self.at();
        let patterns = vec![self.expression(0)?];
        let guard = self.guard()?;
        Ok(Clause { at, patterns, guard, body: self.clause_body()? })
    }

    fn guard(&mut self) -> Parsed<Guard> {
        if self.accept("when") { self.guard_alternatives() } else { Ok(Vec::new()) }
    }

    fn guard_alternatives(&mut self) -> Parsed<Guard> {
        let mut alternatives = vec![self.expressions()?];
        while self.accept(";") {
            alternatives.push(self.expressions()?);
        }
        Ok(alternatives)
    }

    fn clause_body(&mut self) -> Parsed<Vec<Ast>> {
        self.expect_or("->", "'when' or '->'")?;
        self.expressions()
    }

    fn receive(&mut self) -> Parsed<Node> {
        self.advance();
        let clauses = if self.at_symbol("after") { Vec::new() } else { self.clauses(Parser::case_clause)? };
        let after = if self.accept("after") {
            let time = self.boxed_expression()?;
            Some((time, self.clause_body()?))
        } else {
            None
        };
        self.expect_or("end", if after.is_some() { "',' or 'end'" } else { "',', ';', 'after' or 'end'" })?;
        Ok(Node::Receive { clauses, after })
    }

    fn try_expression(&mut self) -> Parsed<Node> {
        self.advance();
        let body = self.expressions()?;
        let clauses = if self.accept("of") { self.clauses(Parser::case_clause)? } else { Vec::new() };
        let handlers = if self.accept("catch") { self.clauses(Parser::handler)? } else { Vec::new() };
        let after = if self.accept("after") { self.expressions()? } else { Vec::new() };
        if handlers.is_empty() && after.is_empty() {
            return self.unexpected("',', 'of', 'catch' or 'after'");
        }
        self.expect_or("end", if after.is_empty() { "',', ';', 'after' or 'end'" } else { "',' or 'end'" })?;
        Ok(Node::Try { body, clauses, handlers, after })
    }

    fn handler(&mut self) -> Parsed<Handler> {
        let at = self.at();
        let class = if matches!(self.peek_ahead(1), Token::Symbol(":")) {
            let node = match self.peek().clone() {
                Token::Atom(class) => Node::Atom(class),
                Token::Variable(name) => Node::Variable(Name::from(name)),
                _ => return self.unexpected("a class (error, exit, throw or a variable) before ':'"),
            };
            self.advance();
            self.advance();
            Some(Ast::new(at, node))
        } else {
            None
        };
        let reason = self.pattern()?;
        let trace = if class.is_some() && self.accept(":") {
            let at = self.at();
            match self.peek().clone() {
                Token::Variable(name) => {
                    self.advance();
                    Some(Ast::new(at, Node::Variable(Name::from(name))))
                }
                _ => return self.unexpected("a variable for the stack trace"),
            }
        } else {
            None
        };
        let guard = self.guard()?;
        Ok(Handler { at, class, reason, trace, guard, body: self.clause_body()? })
    }

    fn fun(&mut self) -> Parsed<Node> {
        self.advance();
        let named_or_remote = match self.peek().clone() {
            Token::Atom(name) => {
                if matches!(self.peek_ahead(1), Token::Symbol("/")) {
                    self.advance();
                    self.advance();
                    return Ok(Node::LocalFun { name, arity: self.arity()? });
                }
                true
            }
            Token::Variable(_) => !matches!(self.peek_ahead(1), Token::Symbol("(")),
            Token::Symbol("(") => false,
            _ => return self.unexpected("'(' or the name of a function"),
        };
        if named_or_remote { self.remote_fun() } else { self.fun_clauses() }
    }

    fn remote_fun(&mut self) -> Parsed<Node> {
        let module = self.atom_or_variable()?;
        self.expect_or(":", "':' or '/'")?;
        let function = self.atom_or_variable()?;
        self.expect("/")?;
        let at = self.at();
        let node = match self.peek().clone() {
            Token::Variable(name) => {
                self.advance();
                Node::Variable(Name::from(name))
            }
            _ => Node::Integer(self.arity()?.into()),
        };
        let arity = Box::new(Ast::new(at, node));
        Ok(Node::RemoteFun { module: Box::new(module), function: Box::new(function), arity })
    }

    fn atom_or_variable(&mut self) -> Parsed<Ast> {
        let at = self.at();
        let node = match self.peek().clone() {
            Token::Atom(atom) => Node::Atom(atom),
            Token::Variable(name) => Node::Variable(Name::from(name)),
            _ => return self.unexpected("an atom or a variable"),
        };
        self.advance();
        Ok(Ast::new(at, node))
    }

    fn arity(&mut self) -> Parsed<u32> {
        let Token::Integer(value) = self.peek() else {
            return self.unexpected("an arity");
        };
        match u32::try_from(value).ok().filter(|arity| *arity <= LARGEST_ARITY) {
            Some(arity) => {
                self.advance();
                Ok(arity)
            }
            None => self.unexpected("an arity of at most 255"),
        }
    }

    fn fun_clauses(&mut self) -> Parsed<Node> {
        let first_at = self.at();
        let clauses = self.clauses_until_end(Parser::fun_clause)?;
        let mut head = None;
        let mut kept = Vec::with_capacity(clauses.len());
        for (name, clause) in clauses {
            let (expected_name, expected_arity) = head.get_or_insert((name.clone(), clause.patterns.len()));
            if name != *expected_name {
                return Err(SyntaxError::new(clause.at, "all clauses of a fun have the same name, or none"));
            }
            if clause.patterns.len() != *expected_arity {
                let message =
                    format!("this clause has {} parameters, the first has {expected_arity}", clause.patterns.len());
                return Err(SyntaxError::new(clause.at, message));
            }
            kept.push(clause);
        }
        let (name, arity) = head.unwrap_or((None, 0));
        if arity > LARGEST_ARITY as usize {
            return Err(SyntaxError::new(first_at, "a fun has at most 255 parameters"));
        }
        Ok(Node::Fun { name, clauses: kept })
    }

    fn fun_clause(&mut self) -> Parsed<(Option<Name>, Clause)> {
        let at = self.at();
        let name = match self.peek().clone() {
            Token::Variable(name) => {
                self.advance();
                Some(Name::from(name))
            }
            _ => None,
        };
        self.expect("(")?;
        let patterns = self.until_closed(")", |parser| {
            let mut patterns = vec![parser.pattern()?];
            while parser.accept(",") {
                patterns.push(parser.pattern()?);
            }
            Ok(patterns)
        })?;
        let guard = self.guard()?;
        Ok((name, Clause { at, patterns, guard, body: self.clause_body()? }))
    }
}
