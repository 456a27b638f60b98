//! Exported functions of OTP's pure modules, with arguments from their specs, against the BEAM.

use erlang::syntax::print_atom;
use fuzz::{Duel, OTP_GAPS, Question, Random, Specs, seed};
use term::Atom;

const MODULES: &[&str] = &[
    "lists", "maps", "string", "binary", "proplists", "orddict", "dict", "sets", "ordsets", "gb_trees", "gb_sets",
    "queue", "array", "base64", "uri_string", "calendar", "unicode", "io_lib", "erl_scan", "erl_parse", "rand", "re",
    "filename", "sofs", "erl_anno", "erl_pp", "io_lib_format", "io_lib_pretty", "unicode_util",
];
const PER_BATCH: usize = 200;
const BATCHES_PER_SESSION: usize = 25;

/// Functions that two runtimes need not answer alike: module, names (with an arity: that one only), why.
const NOT_COMPARED: &[(&str, &str, &str)] = &[
    ("*", "module_info", "says how the module was compiled"),
    (
        "calendar",
        "iso_week_number/0 local_time universal_time now_to_local_time local_time_to_universal_time local_time_to_universal_time_dst",
        "the time and the zone of the computer",
    ),
    (
        "calendar",
        "universal_time_to_local_time system_time_to_local_time rfc3339_to_system_time system_time_to_rfc3339",
        "the zone of the computer",
    ),
    (
        "rand",
        "uniform uniform_real uniform_real_s/0 normal bytes seed export_seed jump/0 mwc59_seed/0",
        "an unseeded generator takes the time for its seed",
    ),
    ("rand", "seed_s", "without numbers it takes the time for its seed"),
    ("filename", "absname/1 basedir", "the current folder and the environment"),
    ("erl_scan", "continuation", "no function"),
    ("io_lib", "nl", "no arguments, nothing to compare"),
    ("maps", "iterator", "the order of an iterator's keys is its runtime's"),
    ("erl_parse", "first_anno", "it catches, and shows frames of who called it"),
    ("erl_parse", "parse", "it is given a state of the parser"),
    ("binary", "referenced_byte_size", "where a binary lies is its runtime's"),
];

#[test]
fn library_functions() {
    let mut duel = Duel::new("library functions", OTP_GAPS);
    let mut specs = Specs::default();
    let functions = functions(&mut duel, &mut specs);
    let mut random = Random::new(seed());
    let mut turn = 0;
    // A stride that meets every module early.
    let stride = (1..).map(|n| 97 + 2 * n).find(|stride| gcd(*stride, functions.len()) == 1).unwrap_or(1);
    while duel.has_time() {
        let questions: Vec<Question> = (0..PER_BATCH)
            .map(|_| {
                turn += 1;
                let (module, name, arity) = functions[turn * stride % functions.len()];
                let args = specs.arguments(&duel.session, &mut random, module, name, arity);
                Question {
                    function: format!("{module}:{name}/{arity}"),
                    text: format!("{module}:{}({})", print_atom(name), args.join(", ")),
                }
            })
            .collect();
        duel.ask(&questions);
        if (turn / PER_BATCH).is_multiple_of(BATCHES_PER_SESSION) {
            duel.renew();
        }
    }
    duel.conclude();
}

fn functions(duel: &mut Duel, specs: &mut Specs) -> Vec<(Atom, Atom, u32)> {
    let mut functions = Vec::new();
    for name in MODULES {
        let name = Atom::new(name);
        let module = specs.module(&duel.session, name).unwrap_or_else(|| panic!("{name} cannot be loaded"));
        let exported = module.functions.iter().filter(|function| function.exported);
        functions.extend(
            exported
                .map(|function| (name, function.name, function.arity))
                .filter(|(module, function, arity)| is_compared(*module, *function, *arity)),
        );
    }
    functions
}

fn is_compared(module: Atom, function: Atom, arity: u32) -> bool {
    let with_arity = format!("{function}/{arity}");
    !NOT_COMPARED.iter().any(|(home, names, _)| {
        (*home == "*" || *home == module.text())
            && names.split(' ').any(|name| name == function.text() || name == with_arity)
    })
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
