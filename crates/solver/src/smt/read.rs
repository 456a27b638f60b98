//! Reads what the solver says.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Integer(BigInt),
    Real(f64),
    Boolean(bool),
}

#[derive(Debug)]
enum Tree<'a> {
    Word(&'a str),
    List(Vec<Tree<'a>>),
}

/// The values of `((expression value) …)`, in its order.
pub(super) fn values(text: &str) -> Option<Vec<Value>> {
    match tree(text)? {
        Tree::List(pairs) => pairs
            .iter()
            .map(|pair| match pair {
                Tree::List(parts) => value(parts.last()?),
                Tree::Word(_) => None,
            })
            .collect(),
        Tree::Word(_) => None,
    }
}

fn tree(text: &str) -> Option<Tree<'_>> {
    let mut open: Vec<Vec<Tree<'_>>> = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        match first {
            '(' => {
                open.push(Vec::new());
                rest = &rest[1..];
            }
            ')' => {
                let done = open.pop()?;
                open.last_mut()?.push(Tree::List(done));
                rest = &rest[1..];
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
                let (word, behind) = rest.split_at(end);
                open.last_mut()?.push(Tree::Word(word));
                rest = behind;
            }
        }
        rest = rest.trim_start();
    }
    open.pop()?.pop()
}

fn value(tree: &Tree<'_>) -> Option<Value> {
    match tree {
        Tree::Word("true") => Some(Value::Boolean(true)),
        Tree::Word("false") => Some(Value::Boolean(false)),
        Tree::Word(word) if word.contains('.') => {
            // A real that is whole may be larger than what is exact.
            Some(Value::Real(word.trim_end_matches('?').parse().ok()?))
        }
        Tree::Word(word) => Some(Value::Integer(word.parse().ok()?)),
        Tree::List(parts) => match parts.as_slice() {
            [Tree::Word("-"), inner] => Some(match value(inner)? {
                Value::Integer(value) => Value::Integer(-value),
                Value::Real(value) => Value::Real(-value),
                Value::Boolean(_) => return None,
            }),
            [Tree::Word("/"), a, b] => Some(Value::Real(real(&value(a)?)? / real(&value(b)?)?)),
            [Tree::Word("to_real"), inner] => Some(Value::Real(real(&value(inner)?)?)),
            _ => None,
        },
    }
}

fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(value) => value.to_f64(),
        Value::Real(value) => Some(*value),
        Value::Boolean(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_with_their_signs() {
        let text = "((i0 100000)\n (i1 (- 7)) ((ite (> n1 0) 4 e1) 3) (r2 (/ 1.0 4.0)) (p3 true) (r4 (- 2.5)))";
        let expected = [
            Value::Integer(100_000.into()),
            Value::Integer((-7).into()),
            Value::Integer(3.into()),
            Value::Real(0.25),
            Value::Boolean(true),
            Value::Real(-2.5),
        ];
        assert_eq!(values(text).expect("well formed"), expected);
        assert_eq!(values("(error"), None);
    }
}
