//! What the parameters of a function are called in its source, so that conditions can speak of them.
//!
//! Looks at the text of the first clause only: names are for reading, and whatever is no plain variable there is
//! called by its number.

use erlang::syntax::print_atom;
use term::Atom;

/// `head`: the source from the function's first clause on.
pub fn parameters(head: &str, function: Atom, arity: usize) -> Vec<String> {
    let plain: Vec<String> = (1..=arity).map(|number| format!("X{number}")).collect();
    let behind = head.trim_start().strip_prefix(&print_atom(function)).map(str::trim_start);
    let Some(args) = behind.and_then(|behind| behind.strip_prefix('(')).and_then(arguments) else { return plain };
    if args.len() != arity {
        return plain;
    }
    let mut names: Vec<String> = Vec::with_capacity(arity);
    for (arg, plain) in args.iter().zip(plain) {
        let name = name_of(arg).filter(|name| !names.iter().any(|other| other == name));
        names.push(name.map_or(plain, str::to_string));
    }
    names
}

/// The texts between the parentheses and the commas of a call, whose opening parenthesis was read.
fn arguments(text: &str) -> Option<Vec<&str>> {
    let mut args = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            // The letter behind it, whatever it is; an escaped one has two.
            '$' => {
                if matches!(letters.next(), Some((_, '\\'))) {
                    letters.next();
                }
            }
            '"' | '\'' => loop {
                match letters.next()?.1 {
                    '\\' => drop(letters.next()),
                    other if other == letter => break,
                    _ => {}
                }
            },
            '%' => while !matches!(letters.next()?.1, '\n') {},
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => {
                let last = text.get(start..at)?;
                if !args.is_empty() || !last.trim().is_empty() {
                    args.push(last);
                }
                return Some(args);
            }
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                args.push(text.get(start..at)?);
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// A variable, or one that stands for the whole of a pattern: `Tree`, `[_|_] = List`.
fn name_of(arg: &str) -> Option<&str> {
    let is_name = |text: &&str| {
        let mut letters = text.chars();
        letters.next().is_some_and(|first| first.is_ascii_uppercase())
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let arg = arg.trim();
    let ends = [Some(arg), arg.split_once('=').map(|(left, _)| left), arg.rsplit_once('=').map(|(_, right)| right)];
    // `=>` of a map and `==` of nothing that stands here.
    ends.into_iter().flatten().map(str::trim).find(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(head: &str, arity: usize) -> String {
        parameters(head, Atom::new("f"), arity).join(" ")
    }

    #[test]
    fn plain_variables_have_their_names() {
        assert_eq!(names("f(Key, Tree) when Key > 1 -> ok.", 2), "Key Tree");
        assert_eq!(names("f() -> ok.", 0), "");
        assert_eq!(names("f(\n  A, % ) a comment\n  {B, C}) -> ok.", 2), "A X2");
    }

    #[test]
    fn patterns_have_numbers_unless_the_whole_has_a_name() {
        assert_eq!(names("f([_|_] = List, #{a := B} = Map, _) -> ok.", 3), "List Map X3");
        assert_eq!(names("f(Tree = {leaf, _}, _Key) -> ok.", 2), "Tree X2");
        assert_eq!(names("f(\"),\", $), $\\), 'a,b') -> ok.", 4), "X1 X2 X3 X4");
        assert_eq!(names("f(A, A) -> ok.", 2), "A X2");
    }

    #[test]
    fn what_is_no_head_of_it_gives_numbers() {
        for head in ["", "g(A) -> ok.", "f(A, B) -> ok.", "f(A", "def f(a), do: a", "f(A]) -> ok."] {
            assert_eq!(names(head, 1), "X1", "{head}");
        }
    }
}
