//! Documentation of functions in sources: comments, `-doc` and `@doc`, and whether a module is for users.

use frontend::Remarks;
use report::rank::Documentation;

/// The maximum number of lines above a function that are read.
const MOST_LINES: usize = 120;

/// Returns the comments and attributes between the function and the code before it.
pub fn in_erlang(source: &str, line: u32) -> Remarks {
    let lines: Vec<&str> = source.lines().take((line as usize).saturating_sub(1)).collect();
    let mut said: Vec<&str> = Vec::new();
    let mut attribute = Vec::new();
    for line in lines.iter().rev().take(MOST_LINES) {
        let text = line.trim();
        if text.starts_with('%') {
            said.push(text.trim_start_matches('%').trim());
        } else if text.is_empty() {
            // A blank line separates the comment from the code before it, but not a function from its attributes.
            if !said.is_empty() {
                break;
            }
        } else if line.starts_with('-') {
            said.append(&mut attribute);
            if line.starts_with("-doc") {
                said.push(text);
            } else if !["-spec", "-dialyzer", "-compile", "-deprecated"].iter().any(|known| line.starts_with(known)) {
                break;
            }
        } else if line.starts_with([' ', '\t']) || attribute.is_empty() && !text.ends_with('.') {
            // This may be a line of an attribute that spans several lines.
            attribute.push(text);
        } else {
            break;
        }
    }
    let words = said.join("\n");
    let is_rule = |line: &&str| line.chars().all(|letter| !letter.is_alphanumeric());
    let is_there = said.iter().any(|line| !is_rule(line));
    let head = source.lines().take_while(|line| !line.starts_with("-export"));
    let marks =
        ["-moduledoc(false)", "-moduledoc false", "-moduledoc(hidden)", "-moduledoc hidden", "@hidden", "@private"];
    Remarks {
        function: Documentation {
            is_there,
            only_exported: !is_there && has_documentation(source, &["@doc", "-doc"]),
            hidden: ["@hidden", "@private", "-doc(false)", "-doc false", "-doc(hidden)", "-doc hidden"]
                .iter()
                .any(|mark| words.contains(mark)),
            speaks_of_exceptions: speaks_of_exceptions(&words),
        },
        is_module_hidden: head.map(str::trim).any(|line| marks.iter().any(|mark| line.contains(mark))),
    }
}

/// Returns the remarks between the function and the end of the one before it.
pub fn in_elixir(source: &str, module: &str, line: u32) -> Remarks {
    let lines: Vec<&str> = source.lines().take((line as usize).saturating_sub(1)).collect();
    let is_code = |text: &str| {
        let word = text.split([' ', '(']).next().unwrap_or_default();
        matches!(word, "end" | "def" | "defp" | "defmacro" | "defmacrop" | "defmodule" | "defstruct" | "defexception")
    };
    let above = lines.iter().rev().take(MOST_LINES).map(|line| line.trim()).take_while(|line| !is_code(line));
    let mut above: Vec<&str> = above.collect();
    above.reverse();
    let words = above.join("\n");
    let begin = format!("defmodule {module} do");
    let of_module = source.find(&begin).and_then(|at| source.get(at + begin.len()..)).unwrap_or_default();
    let head = of_module.lines().map(str::trim).take_while(|line| !is_code(line));
    let is_hidden = words.contains("@doc false");
    let is_there = words.contains("@doc") && !is_hidden;
    Remarks {
        function: Documentation {
            is_there,
            only_exported: !is_there
                && !is_hidden
                && has_documentation(of_module, &["@doc \"", "@doc ~", "@doc since"]),
            hidden: is_hidden,
            speaks_of_exceptions: speaks_of_exceptions(&words),
        },
        is_module_hidden: head.into_iter().any(|line| line.starts_with("@moduledoc false")),
    }
}

/// Returns whether any function of a source is documented by one of these marks.
fn has_documentation(source: &str, marks: &[&str]) -> bool {
    let says = |line: &str| {
        let line = line.trim_start_matches(['%', ' ']);
        marks.iter().any(|mark| line.starts_with(mark)) && !line.contains("false") && !line.contains("hidden")
    };
    source.lines().any(says)
}

/// The number of lines that can belong to one assertion of a test.
const ASSERTION: usize = 3;

/// Returns whether tests expect that a call of a function raises an exception. `marks` are the words that express it,
/// `calls` the beginnings of the call.
pub fn want_exception(text: &str, marks: &[&str], calls: &[String]) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let is_next = |line: &str| line.contains("?assert") || marks.iter().any(|mark| line.contains(mark));
    lines.iter().enumerate().any(|(index, first)| {
        let Some(at) = marks.iter().find_map(|mark| first.find(mark)) else { return false };
        // The call follows the mark, before the next assertion.
        let rest = lines.iter().skip(index + 1).take(ASSERTION - 1).take_while(|line| !is_next(line));
        let behind = std::iter::once(first.get(at..).unwrap_or_default()).chain(rest.copied());
        behind.into_iter().any(|line| calls.iter().any(|call| line.contains(call.as_str())))
    })
}

/// The number of lines of a `try` around one call.
const ATTEMPT: usize = 8;

/// Returns whether a source catches any exception of a call and goes on: `try f(X) of … catch _:_ -> error end`.
pub fn catch_all(text: &str, calls: &[String]) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.iter().enumerate().any(|(index, first)| {
        let Some(at) = first.find("try") else { return false };
        let attempt = || lines.iter().skip(index + 1).take(ATTEMPT - 1).take_while(|line| !line.starts_with("try"));
        let called = std::iter::once(first.get(at..).unwrap_or_default()).chain(attempt().take(1).copied());
        let is_called = called.map(|line| format!(" {line}")).any(|line| calls.iter().any(|call| line.contains(call)));
        is_called && attempt().any(|line| line.contains("_:_"))
    })
}

fn speaks_of_exceptions(words: &str) -> bool {
    let words = words.to_lowercase();
    ["raise", "throw", "exception", "badarg", "crash", "will fail", "fails with", "error is"]
        .iter()
        .any(|word| words.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_above_a_specification_are_documentation() {
        let source = "-module(m).\n-export([f/1, g/1]).\n\n%% @doc Doubles.\n%% Throws `odd'.\n-spec f(integer()) ->\n          integer().\nf(X) ->\n    X.\n\ng(X) ->\n    X.\n";
        let Remarks { function, is_module_hidden } = in_erlang(source, 8);
        assert_eq!(function, Documentation { is_there: true, speaks_of_exceptions: true, ..Documentation::default() });
        assert!(!is_module_hidden);
        assert_eq!(in_erlang(source, 11).function, Documentation { only_exported: true, ..Documentation::default() });
    }

    #[test]
    fn hidden_functions_and_modules_say_so() {
        let source = "%% @private\n-module(m).\n-export([f/1]).\n\n%% @hidden\nf(X) ->\n    X.\n";
        let remarks = in_erlang(source, 6);
        assert!(remarks.function.hidden && remarks.is_module_hidden);
        let source = "defmodule A do\n  @moduledoc \"Yes.\"\nend\n\ndefmodule A.B do\n  @moduledoc false\n\n  @doc false\n  def f(x), do: x\n\n  @doc \"Raises.\"\n  @spec g(integer) :: integer\n  def g(x) do\n    x\n  end\nend\n";
        let hidden = in_elixir(source, "A.B", 9);
        assert!(hidden.function.hidden && !hidden.function.is_there && hidden.is_module_hidden);
        let shown = in_elixir(source, "A.B", 13);
        assert!(shown.function.is_there && shown.function.speaks_of_exceptions);
        assert!(!in_elixir(source, "A", 3).is_module_hidden);
    }

    #[test]
    fn tests_say_what_raises() {
        let text = "?assertError(badarg,\n    m:parse(1)),\n?assertEqual(2, m:double(1)),\n?assertExit(_, m:stop())\n";
        let wants = |call: &str| want_exception(text, &["?assertError", "?assertExit"], &[call.to_string()]);
        assert!(wants("m:parse(") && wants("m:stop("));
        assert!(!wants("m:double("));
    }

    #[test]
    fn tests_take_any_exception() {
        let text = "f_test() ->\n    E = try f(X) of\n        R -> R\n    catch _:_ ->\n        error\n    end,\n    try g(X)\n    catch throw:bad -> error end.\n";
        assert!(catch_all(text, &[" f(".to_string()]));
        assert!(!catch_all(text, &[" g(".to_string()]));
    }
}
