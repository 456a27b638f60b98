//! The languages that Beagle tests programs in. No other file names them.

use beam::{ElixirFrontEnd, ErlangFrontEnd};
use frontend::Languages;
use std::sync::{Arc, LazyLock};
use term::{Atom, FunctionName, Term};

/// The list of all languages. Code above this list does not distinguish between them.
static LANGUAGES: LazyLock<Languages> = LazyLock::new(|| {
    Languages::new(Arc::new(ErlangFrontEnd::without_code()), vec![Arc::new(ElixirFrontEnd::without_code())])
});

/// Returns all languages, without the code of any program.
pub fn languages() -> &'static Languages {
    &LANGUAGES
}

/// Prints a function in the language that its module's name belongs to.
pub fn print_name(name: FunctionName) -> String {
    LANGUAGES.language(name.module).function(name)
}

/// Prints a module's name as a term of the language that it belongs to.
pub fn print_module(module: Atom) -> String {
    LANGUAGES.language(module).term(&Term::Atom(module))
}

/// Reads the name of a function, as people write it.
pub fn function_name(text: &str) -> Option<FunctionName> {
    LANGUAGES.read_name(text)
}

#[cfg(test)]
mod tests {
    use super::{function_name, print_name};

    fn read(text: &str) -> Option<String> {
        function_name(text).map(print_name)
    }

    #[test]
    fn functions_are_named_as_in_erlang() {
        assert_eq!(read("m:f/2").as_deref(), Some("m:f/2"));
        assert_eq!(read("'Odd':'any?'/1").as_deref(), Some("'Odd':'any?'/1"));
        assert_eq!(read("odd:any?/1").as_deref(), Some("odd:'any?'/1"));
        for wrong in ["m", "m:f", "m:f/", "m:f/x", "f/1", ":f/1", "m:/1", "m:f/256", "src/m.erl", "m:f(1)"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn functions_are_named_as_in_elixir_too() {
        for text in ["'Elixir.Enum':'any?'/1", "Elixir.Enum:any?/1", "Enum:any?/1", "Enum.any?/1", "Elixir.Enum.any?/1"]
        {
            assert_eq!(read(text).as_deref(), Some("Enum.any?/1"), "{text}");
        }
        assert_eq!(read(":lists.map/2").as_deref(), Some("lists:map/2"));
    }
}
