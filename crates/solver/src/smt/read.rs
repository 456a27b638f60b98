//! Reads the answers of the solver.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

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

/// Returns the values of the constants of a model: `((define-fun name () sort value) …)`, with or without `model`.
pub(super) fn model(text: &str) -> Option<FxHashMap<String, Value>> {
    let Tree::List(entries) = tree(text)? else { return None };
    let constants = entries.iter().filter_map(|entry| match entry {
        Tree::List(parts) => match parts.as_slice() {
            [Tree::Word("define-fun"), Tree::Word(name), Tree::List(params), _, body] if params.is_empty() => {
                Some((name.to_string(), value(body)?))
            }
            _ => None,
        },
        Tree::Word(_) => None,
    });
    Some(constants.collect())
}

/// The largest depth of a value, which has few levels. Anything deeper is no value, and would take a stack of its depth
/// to be read and to be dropped.
const DEEPEST: usize = 200;
/// The largest number of digits of a number; reading more takes long.
const LONGEST_NUMBER: usize = 100_000;

/// Reads the one expression of a text; `None` if there are several, or an incomplete one.
fn tree(text: &str) -> Option<Tree<'_>> {
    let mut open: Vec<Vec<Tree<'_>>> = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        match first {
            '(' if open.len() > DEEPEST => return None,
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
    let [all] = open.as_mut_slice() else { return None };
    let tree = all.pop();
    tree.filter(|_| all.is_empty())
}

fn value(tree: &Tree<'_>) -> Option<Value> {
    match tree {
        Tree::Word("true") => Some(Value::Boolean(true)),
        Tree::Word("false") => Some(Value::Boolean(false)),
        Tree::Word(word) if word.contains('.') => {
            // A real that is whole may be too large to be exact.
            Some(Value::Real(word.trim_end_matches('?').parse().ok()?))
        }
        Tree::Word(word) if word.len() > LONGEST_NUMBER => None,
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
        let text = "(model\n (define-fun i0 () Int\n 100000)\n (define-fun i1 () Int (- 7)) (define-fun r2 () Real (/ 1.0 4.0))
            (define-fun p3 () Bool true) (define-fun r4 () Real (- 2.5)))";
        let model = model(text).expect("well formed");
        let expected = [
            ("i0", Value::Integer(100_000.into())),
            ("i1", Value::Integer((-7).into())),
            ("r2", Value::Real(0.25)),
            ("p3", Value::Boolean(true)),
            ("r4", Value::Real(-2.5)),
        ];
        assert_eq!(model.len(), expected.len());
        for (name, value) in expected {
            assert_eq!(model[name], value);
        }
    }

    #[test]
    fn what_is_no_model_is_none() {
        let deep = |levels: usize| format!("((define-fun i0 () Int {}1{}))", "(- ".repeat(levels), ")".repeat(levels));
        assert_eq!(model(&deep(3)).map(|model| model.len()), Some(1));
        let texts = [
            String::new(),
            "(error".to_string(),
            ")".to_string(),
            "sat".to_string(),
            "((define-fun i0 () Int 1)".to_string(),
            "((define-fun i0 () Int 1)) ((define-fun i0 () Int 2))".to_string(),
            deep(1_000_000),
            "(".repeat(10_000_000),
        ];
        for text in &texts {
            let start = text.get(..20).unwrap_or(text);
            assert_eq!(model(text), None, "{start}");
        }
        // A number that would take for ever to read is left out.
        let long = format!("((define-fun i0 () Int {}))", "7".repeat(5_000_000));
        assert_eq!(model(&long), Some(FxHashMap::default()));
    }
}
