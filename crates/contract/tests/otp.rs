//! Specifications of OTP's and Elixir's own modules.

mod common;

use common::{Code, show};
use contract::Modules;
use term::Atom;

#[test]
fn all_specifications_of_the_standard_library_are_read() {
    let mut code = Code::new(&[]);
    let modules = [
        "lists", "string", "maps", "gb_trees", "gb_sets", "queue", "dict", "proplists", "calendar", "uri_string",
        "sets", "ordsets", "orddict", "array", "digraph", "binary", "unicode", "filename", "io_lib", "erl_scan",
        "erl_parse", "rand", "re", "ets", "timer", "gen_server", "supervisor", "sofs", "erlang",
    ];
    for name in modules {
        let module = code.module(Atom::new(name)).expect("a module of OTP");
        for spec in &module.types.specs {
            let contract = code.contract(name, spec.name.text(), spec.arity);
            assert!(contract.declared);
            if std::env::var_os("SHOW").is_some() {
                println!("{name}:{}/{} {}", spec.name, spec.arity, show(&contract));
                for limit in &contract.limits {
                    println!("    {limit}");
                }
            }
        }
    }
}
