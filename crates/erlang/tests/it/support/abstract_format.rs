//! Our expressions in `erl_parse`'s abstract format, every annotation 0.

use erlang::syntax::Ast;
use erlang::syntax::ast::{Clause, Guard, Handler, Node, Qualifier, Segment};
use term::Term;

pub fn abstract_format(ast: &Ast) -> Term {
    match &ast.node {
        Node::Variable(name) => node("var", vec![Term::atom(name)]),
        Node::Atom(atom) => node("atom", vec![Term::Atom(*atom)]),
        Node::Integer(value) => node("integer", vec![Term::integer(value.clone())]),
        Node::Float(value) => node("float", vec![Term::Float(*value)]),
        Node::Character(c) => node("char", vec![Term::Int(*c as i64)]),
        Node::String(text) => node("string", vec![Term::string(text)]),
        Node::List(items, tail) => {
            let end = tail.as_ref().map_or_else(|| node("nil", vec![]), |tail| abstract_format(tail));
            items.iter().rev().fold(end, |rest, item| node("cons", vec![abstract_format(item), rest]))
        }
        Node::Tuple(items) => node("tuple", vec![all(items)]),
        Node::Map { base, fields } => {
            let fields = fields
                .iter()
                .map(|field| {
                    let tag = if field.exact { "map_field_exact" } else { "map_field_assoc" };
                    node(tag, vec![abstract_format(&field.key), abstract_format(&field.value)])
                })
                .collect::<Vec<_>>();
            let mut parts: Vec<Term> = base.iter().map(|base| abstract_format(base)).collect();
            parts.push(Term::list(fields));
            node("map", parts)
        }
        Node::Binary(segments) => node("bin", vec![list(segments, segment)]),
        Node::ListComprehension(template, qualifiers) => {
            node("lc", vec![abstract_format(template), list(qualifiers, qualifier)])
        }
        Node::BinaryComprehension(template, qualifiers) => {
            node("bc", vec![abstract_format(template), list(qualifiers, qualifier)])
        }
        Node::Block(body) => node("block", vec![all(body)]),
        Node::If(clauses) => node("if", vec![list(clauses, clause)]),
        Node::Case(subject, clauses) => node("case", vec![abstract_format(subject), list(clauses, clause)]),
        Node::Receive { clauses, after } => {
            let mut parts = vec![list(clauses, clause)];
            if let Some((time, body)) = after {
                parts.extend([abstract_format(time), all(body)]);
            }
            node("receive", parts)
        }
        Node::Try { body, clauses, handlers, after } => {
            node("try", vec![all(body), list(clauses, clause), list(handlers, handler), all(after)])
        }
        Node::Catch(body) => node("catch", vec![abstract_format(body)]),
        Node::Fun { name: None, clauses } => {
            node("fun", vec![Term::tuple([Term::atom("clauses"), list(clauses, clause)])])
        }
        Node::Fun { name: Some(name), clauses } => node("named_fun", vec![Term::atom(name), list(clauses, clause)]),
        Node::LocalFun { name, arity } => {
            node("fun", vec![Term::tuple([Term::atom("function"), Term::Atom(*name), Term::Int((*arity).into())])])
        }
        Node::RemoteFun { module, function, arity } => {
            let parts = [module, function, arity].map(|part| abstract_format(part));
            let mut items = vec![Term::atom("function")];
            items.extend(parts);
            node("fun", vec![Term::tuple(items)])
        }
        Node::Call(callee, arguments) => node("call", vec![abstract_format(callee), all(arguments)]),
        Node::Remote(module, function) => node("remote", vec![abstract_format(module), abstract_format(function)]),
        Node::Match(pattern, value) => node("match", vec![abstract_format(pattern), abstract_format(value)]),
        Node::Unary(operator, operand) => node("op", vec![Term::atom(operator.symbol()), abstract_format(operand)]),
        Node::Operation(operator, left, right) => {
            node("op", vec![Term::atom(operator.symbol()), abstract_format(left), abstract_format(right)])
        }
    }
}

fn node(tag: &str, parts: Vec<Term>) -> Term {
    let mut items = vec![Term::atom(tag), Term::Int(0)];
    items.extend(parts);
    Term::tuple(items)
}

fn list<T>(items: &[T], format: impl Fn(&T) -> Term) -> Term {
    Term::list(items.iter().map(format).collect::<Vec<_>>())
}

fn all(items: &[Ast]) -> Term {
    list(items, abstract_format)
}

fn guard(guard: &Guard) -> Term {
    list(guard, |alternative| all(alternative))
}

fn clause(clause: &Clause) -> Term {
    node("clause", vec![all(&clause.patterns), guard(&clause.guard), all(&clause.body)])
}

fn handler(handler: &Handler) -> Term {
    let class = handler.class.as_ref().map_or_else(|| node("atom", vec![Term::atom("throw")]), abstract_format);
    let trace = handler.trace.as_ref().map_or_else(|| node("var", vec![Term::atom("_")]), abstract_format);
    let head = node("tuple", vec![Term::list([class, abstract_format(&handler.reason), trace])]);
    node("clause", vec![Term::list([head]), guard(&handler.guard), all(&handler.body)])
}

fn qualifier(qualifier: &Qualifier) -> Term {
    match qualifier {
        Qualifier::List(pattern, value) => node("generate", vec![abstract_format(pattern), abstract_format(value)]),
        Qualifier::Bits(pattern, value) => node("b_generate", vec![abstract_format(pattern), abstract_format(value)]),
        Qualifier::Filter(filter) => abstract_format(filter),
    }
}

fn segment(segment: &Segment) -> Term {
    let size = segment.size.as_ref().map_or_else(|| Term::atom("default"), abstract_format);
    let types = match &segment.specifiers {
        None => Term::atom("default"),
        Some(specifiers) => list(specifiers, |specifier| match &specifier.argument {
            None => Term::Atom(specifier.name),
            Some(argument) => Term::tuple([Term::Atom(specifier.name), Term::integer(argument.clone())]),
        }),
    };
    node("bin_element", vec![abstract_format(&segment.value), size, types])
}
