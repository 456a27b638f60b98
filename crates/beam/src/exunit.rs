//! Regression tests for ExUnit.

use emit::{Body, Conditions, FileError, Framework, HEAD, PREFIX, Test, pattern, written};
use erlang::syntax::Notation;
use erlang::syntax::elixir::{Elixir, NoStructs, is_alias};
use report::Printer;
use term::{Atom, Term};

const COMMENT: &str = "#";

/// ExUnit, the test framework of Elixir.
pub struct ExUnit;

impl Framework for ExUnit {
    fn path(&self, module: Atom) -> String {
        path(module)
    }

    fn empty(&self, module: Atom) -> String {
        empty(module)
    }

    fn comment(&self) -> &'static str {
        COMMENT
    }

    fn name(&self, function: &str, arity: Option<u32>, what: &str) -> String {
        let arity = arity.map_or_else(String::new, |arity| format!("/{arity}"));
        format!("{function}{arity} {what}")
    }

    fn numbered(&self, name: &str, number: u32) -> String {
        format!("{name} ({number})")
    }

    fn definitions(&self, name: &str) -> [String; 2] {
        [format!("test {} do", quoted(name)), format!("test({}", quoted(name))]
    }

    fn test(&self, test: &Test, name: &str) -> String {
        text_of(test, name)
    }

    /// Inserts the test before the line that closes the module, which is the last line that is just `end`.
    fn with_test(&self, file: &str, test: &str) -> Result<String, FileError> {
        let mut start = file.len();
        for line in file.split_inclusive('\n').rev() {
            start -= line.len();
            if line.trim_end() == "end" {
                let (above, end) = file.split_at(start);
                return Ok(format!("{}{test}{end}", above.trim_end()));
            }
        }
        Err(FileError::NoEnd)
    }

    fn on_path(&self, does: &str) -> String {
        format!("{does} on a path")
    }

    fn exception(&self, class: Atom, label: Option<String>, shown: &str) -> Option<String> {
        if class.text() == "error" { exception(shown).map(str::to_string) } else { label }
    }

    fn asserted(&self, printer: &dyn Printer, class: Atom, reason: &Term, shown: &str) -> String {
        match class.text() {
            "error" => exception(shown).unwrap_or("ErlangError").to_string(),
            _ => written(printer, reason).unwrap_or_default(),
        }
    }

    /// Returns a pattern for a reason. An exception is matched by its name.
    fn reason(&self, printer: &dyn Printer, reason: &Term) -> String {
        match printer.type_name(reason) {
            Some(exception) => format!("%{}{{}}", printer.module(exception)),
            None => pattern(printer, reason),
        }
    }

    fn is_specification(&self, line: &str) -> bool {
        line.starts_with("@spec")
    }

    fn conditions(&self) -> Option<&Conditions> {
        Some(&CONDITIONS)
    }
}

const CONDITIONS: Conditions = Conditions {
    result: "result",
    item: "item",
    and: " and ",
    or: " or ",
    at_most: "<=",
    same: "===",
    differs: "!==",
    all: |item, condition, list| format!("Enum.all?({list}, fn {item} -> {condition} end)"),
    element: |tuple, index| format!("elem({tuple}, {index})"),
    has_key: |map, key| format!("is_map_key({map}, {key})"),
    value: |map, key| format!("Map.fetch!({map}, {key})"),
};

/// Returns the name of the exception: that of `** (KeyError) key …` is `KeyError`.
fn exception(shown: &str) -> Option<&str> {
    let (name, _) = shown.strip_prefix("** (")?.split_once(')')?;
    name.starts_with(|c: char| c.is_ascii_uppercase()).then_some(name)
}

/// Returns the path of a test file: `MyApp.Parser` is tested by `my_app/parser_beagle_test.exs`.
fn path(module: Atom) -> String {
    let module = test_module(module);
    let folders: Vec<String> = module.split('.').map(underscored).collect();
    format!("{}.exs", folders.join("/"))
}

/// Converts a name as `Macro.underscore/1` does.
fn underscored(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| letters.get(before));
        let behind = letters.get(index + 1);
        let begins_word = letter.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_ascii_uppercase() && behind.is_some_and(char::is_ascii_lowercase))
            });
        if begins_word {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

fn test_module(module: Atom) -> String {
    if is_alias(module.text()) {
        return format!("{}BeagleTest", notation().term(&Term::Atom(module)));
    }
    // A module of Erlang may have any name; the name of its test consists of the letters in it.
    let words = module.text().split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    format!("Test{}BeagleTest", words.map(capital).collect::<String>())
}

fn notation() -> Elixir {
    Elixir { structs: Box::new(NoStructs) }
}

fn empty(module: Atom) -> String {
    let name = notation().term(&Term::Atom(module));
    let mut text = format!("{COMMENT} Regression tests for {name}, found by Beagle.\n{COMMENT}\n");
    HEAD.iter().for_each(|line| text.push_str(&format!("{}\n", format!("{COMMENT} {line}").trim_end())));
    text.push_str(&format!("defmodule {} do\n  use ExUnit.Case\nend\n", test_module(module)));
    text
}

fn quoted(name: &str) -> String {
    notation().term(&Term::binary(name.as_bytes()))
}

fn text_of(test: &Test, name: &str) -> String {
    let mut lines = vec![format!("{COMMENT} {PREFIX}{}", test.id)];
    lines.extend(test.comment.iter().map(|line| format!("{COMMENT} {line}")));
    let mut body = test.setups.clone();
    match &test.body {
        Body::Returns { call } => body.push(call.clone()),
        Body::Satisfies { call, condition } => {
            body.push(format!("result = {call}"));
            body.push(format!("assert {condition}"));
        }
        Body::Differs { call, from } => body.push(format!("assert {call} !== {from}")),
        Body::Equals { call, value } => body.push(format!("assert {call} === {value}")),
        Body::Raises { call, class, what } => body.push(match (class.text(), what.as_str()) {
            ("throw", "") => format!("catch_throw({call})"),
            ("throw", value) => format!("assert catch_throw({call}) === {value}"),
            ("exit", "") => format!("catch_exit({call})"),
            ("exit", value) => format!("assert catch_exit({call}) === {value}"),
            (_, exception) => format!("assert_raise({exception}, fn -> {call} end)"),
        }),
        Body::Ends { call } => {
            // The call must not use up all memory before its time limit.
            lines.push("@tag timeout: 5_000".to_string());
            body.push("Process.flag(:max_heap_size, 50_000_000)".to_string());
            body.push(call.clone());
        }
        Body::Survives { call } => {
            body.push(call.clone());
            body.push("Process.sleep(200)".to_string());
        }
        // Processes are traced, so that links between them do not matter.
        Body::NoneEnds { call, reason } => {
            body.push(format!("process = spawn(fn -> receive do: (:go -> {call}) end)"));
            body.push(":erlang.trace(process, true, [:procs, :set_on_spawn])".to_string());
            body.push("send(process, :go)".to_string());
            body.push(format!("refute_receive {{:trace, _, :exit, {reason}}}, 1_000"));
        }
    }
    lines.push(format!("test {} do", quoted(name)));
    lines.extend(body.into_iter().map(|line| format!("  {line}")));
    lines.push("end".to_string());
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_as_mix_names_them() {
        let path = |name: &str| path(Atom::new(name));
        assert_eq!(path("Elixir.MyApp.Parser"), "my_app/parser_beagle_test.exs");
        assert_eq!(path("Elixir.HTMLPage2X"), "html_page2_x_beagle_test.exs");
        assert_eq!(path("my parser"), "test_my_parser_beagle_test.exs");
    }
}
