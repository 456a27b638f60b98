//! Specifications of OTP's own modules.

use crate::common::{Code, data, show, show_type, size};
use contract::Modules;
use formula::{Atoms, TypeId, Types};
use std::collections::HashSet;
use term::Atom;

const MODULES: &[&str] = &[
    "lists", "string", "maps", "gb_trees", "gb_sets", "queue", "dict", "proplists", "calendar", "uri_string", "sets",
    "ordsets", "orddict", "array", "digraph", "digraph_utils", "binary", "unicode", "filename", "io_lib", "erl_scan",
    "erl_parse", "rand", "re", "ets", "timer", "gen_server", "supervisor", "sofs", "erlang",
];

#[test]
fn the_standard_library_is_read_whole_and_its_inputs_can_be_made() {
    let mut code = Code::new(&[]);
    for name in MODULES {
        let module = code.module(Atom::new(name)).expect("a module of OTP");
        for spec in &module.types.specs {
            let contract = code.contract(name, spec.name.text(), spec.arity);
            let function = format!("{name}:{}/{}", spec.name, spec.arity);
            assert!(contract.declared, "{function}");
            for params in contract.clauses.iter().filter_map(|clause| clause.params.as_ref()) {
                assert_eq!(params.len(), spec.arity as usize, "{function}");
                assert!(params.iter().map(size).sum::<usize>() < 10_000, "{function}");
                for id in params.iter().flat_map(data) {
                    check_inhabited(&contract.types, id, &format!("{function}: {}", show(&contract)));
                    match contract.types.smallest(id) {
                        Some(smallest) => assert!(contract.types.contains(id, &smallest), "{function}: {smallest:?}"),
                        // There is no term that is a function of one's own choice.
                        None => assert!(show_type(&contract.types, id).contains("fun"), "{function}"),
                    }
                }
            }
            if std::env::var_os("SHOW").is_some() {
                println!("{function} {}", show(&contract));
                contract.limits.iter().for_each(|limit| println!("    {limit:?}"));
            }
            let impossible = contract.clauses.iter().all(|clause| clause.params.is_none());
            assert!(!impossible || !contract.limits.is_empty(), "{function}: {}", show(&contract));
        }
    }
}

/// Wherever one goes from this type, there are values, and none of them is opaque.
fn check_inhabited(types: &Types, from: TypeId, place: &str) {
    let mut seen = HashSet::new();
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = types.node(id);
        assert!(node.opaque.is_empty(), "{place}");
        let simple = node.nil || node.floats || node.any_tuple || node.any_map || node.any_function || node.pids;
        let simple = simple || node.references || node.ports || node.atoms != Atoms::These(Vec::new());
        let parts = !node.cons.is_empty() || !node.tuples.is_empty() || !node.maps.is_empty();
        let rest = !node.integers.is_empty() || !node.bits.is_empty() || !node.functions.is_empty();
        assert!(simple || parts || rest, "{place}");
        open.extend(node.cons.iter().flat_map(|cons| [cons.head, cons.tail]));
        open.extend(node.tuples.iter().flatten());
        open.extend(node.maps.iter().flatten().flat_map(|field| [field.key, field.value]));
    }
}
