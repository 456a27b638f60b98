//! Names of a function's parameters in its source, for use in the text of conditions.
//!
//! Only the text of the first clause is read. The names are only for readers; a parameter that is not a plain variable
//! there is named by its number.

use term::Atom;

/// The notation of function heads in a language.
pub struct Heads {
    /// The character that precedes a literal character.
    pub character: char,
    pub comment: char,
    /// Returns the text after the name of the function, if its head begins here.
    pub behind_name: for<'h> fn(&'h str, Atom) -> Option<&'h str>,
    pub begins_variable: fn(char) -> bool,
}

impl Heads {
    /// Returns the names of parameters. `head` is the source from the function's first clause on, `plain` the names to
    /// use for parameters without a name.
    pub fn parameters(&self, plain: Vec<String>, head: &str, function: Atom) -> Vec<String> {
        let arity = plain.len();
        let behind = (self.behind_name)(head, function).map(str::trim_start);
        let args = behind.and_then(|behind| behind.strip_prefix('(')).and_then(|behind| self.arguments(behind));
        let Some(args) = args.filter(|args| args.len() == arity) else { return plain };
        let mut names: Vec<String> = Vec::with_capacity(arity);
        for (arg, plain) in args.iter().zip(plain) {
            let name = self.name_of(arg).filter(|name| !names.iter().any(|other| other == name));
            names.push(name.map_or(plain, str::to_string));
        }
        names
    }

    /// Returns the texts between the parentheses and the commas of a call, after its opening parenthesis.
    fn arguments<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let mut args = Vec::new();
        let (mut depth, mut start) = (0usize, 0);
        let mut letters = text.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                // Skips the literal character, which has two letters if it is escaped.
                letter if letter == self.character => {
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
                letter if letter == self.comment => while !matches!(letters.next()?.1, '\n') {},
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

    /// Returns the variable of a parameter, or the variable that is matched with a whole pattern: `Tree`, `[_|_] =
    /// List`.
    fn name_of<'t>(&self, arg: &'t str) -> Option<&'t str> {
        let is_name = |text: &&str| {
            let mut letters = text.chars();
            letters.next().is_some_and(self.begins_variable)
                && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
                && !["nil", "true", "false"].contains(text)
        };
        // In Elixir, a default follows the parameter.
        let arg = arg.split_once("\\\\").map_or(arg, |(arg, _)| arg).trim();
        let ends = [Some(arg), arg.split_once('=').map(|(left, _)| left), arg.rsplit_once('=').map(|(_, right)| right)];
        // The `=>` of a map leaves no name on its right side, and `==` does not occur in parameters.
        ends.into_iter().flatten().map(str::trim).find(is_name)
    }
}

#[cfg(test)]
mod tests {
    use crate::{ERLANG, ElixirFrontEnd};
    use frontend::FrontEnd;
    use term::Atom;

    fn names(head: &str, arity: usize) -> String {
        ERLANG.parameters(head, Atom::new("f"), arity).join(" ")
    }

    fn names_in_elixir(head: &str, arity: usize) -> String {
        ElixirFrontEnd::without_code().parameters(head, Atom::new("f?"), arity).join(" ")
    }

    #[test]
    fn elixir_has_its_own_names() {
        assert_eq!(names_in_elixir("  def f?(key, tree) when key > 1 do", 2), "key tree");
        assert_eq!(
            names_in_elixir("def f?([_ | _] = list, %{a: b} = map, :ok, x \\\\ nil), do: x", 4),
            "list map x3 x"
        );
        assert_eq!(names_in_elixir("defp f?(\n  a, # ) a comment\n  ?), nil, _b), do: a", 4), "a x2 x3 x4");
        for head in ["", "def g(a), do: a", "def f?(a, b), do: a", "f?(a)", "def f?"] {
            assert_eq!(names_in_elixir(head, 1), "x1", "{head}");
        }
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
